// Holds back new rows above the rows that someone is reading, so that these do not move.
import type { Task } from '#core/contract/index.ts';

/** So many rows that are in the list no more are known: a page is open for weeks. */
const MAX_UNLISTED = 500;

export class NewRows {
  #known = new Set<string>();
  #list = '';

  /** These are shown even while someone reads: their own. */
  include(...ids: string[]): void {
    for (const id of ids) this.#known.add(id);
  }

  /** Show all, held back or not. */
  showAll(): void {
    this.#known.clear();
  }

  /**
   * Gives the same result for the same input; `held` rows wait. Rows below the last shown one (Load More) are
   * never held back. `list` names the filter: another list starts anew.
   */
  split(tasks: readonly Task[], reading: boolean, list: string) {
    if (list !== this.#list) {
      this.#list = list;
      this.#known.clear();
    }
    if (!reading || !tasks.some((task) => this.#known.has(task.id))) {
      for (const task of tasks) this.#known.add(task.id);
      if (this.#known.size > tasks.length + MAX_UNLISTED) this.#forget(tasks);
      return { shown: tasks, held: 0 };
    }
    let lastKnown = tasks.length - 1;
    while (lastKnown >= 0 && !this.#known.has(tasks[lastKnown]?.id ?? '')) lastKnown -= 1;
    const shown = tasks.filter((task, index) => index > lastKnown || this.#known.has(task.id));
    for (const task of shown) this.#known.add(task.id);
    return { shown, held: tasks.length - shown.length };
  }
  #forget(tasks: readonly Task[]): void {
    const listed = new Set(tasks.map(({ id }) => id));
    const others = [...this.#known].filter((id) => !listed.has(id));
    this.#known = new Set([...others.slice(-MAX_UNLISTED / 2), ...listed]);
  }
}
