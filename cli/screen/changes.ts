// What the inbox in the terminal does to tasks: shown at once, then sent. Each action can be undone while
// nobody else has changed the same since.
import type { ChangeTask, Task } from '#core/contract/index.ts';
import type { Login } from '../client/login-file.ts';
import { timeText } from '../client/when.ts';
import { acknowledgeTasks, addTask, changeTasks, restoreTasks } from './calls.ts';
import { changeRows, putTask, removeTask, type ScreenState } from './state.ts';

type Fields = Omit<ChangeTask, 'id'>;

/** One action that can be undone. */
interface Step {
  what: string;
  undo: () => Promise<void>;
}

export type Changes = ReturnType<typeof createChanges>;

const MAX_STEPS = 100;
const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

export function createChanges(state: ScreenState, login: Login) {
  const steps: Step[] = [];

  function done(what: string, undo: Step['undo']): void {
    state.notice = `${what}. z undoes.`;
    steps.push({ what, undo });
    if (steps.length > MAX_STEPS) steps.shift();
  }

  async function acknowledge(tasks: readonly Task[]): Promise<void> {
    changeRows(state, () => {
      for (const { id } of tasks) removeTask(state, id);
    });
    await acknowledgeTasks(login, idsOf(tasks));
  }

  function show(tasks: readonly Task[]): void {
    changeRows(state, () => {
      for (const task of tasks) putTask(state, task, Date.now());
    });
  }

  /** The cursor goes to what has come back, or is new. */
  function showFirst(tasks: readonly Task[]): void {
    show(tasks);
    const [first] = tasks;
    if (first !== undefined && state.tasks.has(first.id)) state.cursor = first.id;
  }

  /** Gives each task its fields, and the former ones back at undo. */
  async function change(
    what: string,
    tasks: readonly Task[],
    fieldsOf: (task: Task) => Fields,
  ): Promise<void> {
    const changes = tasks.map((before) => ({ before, to: fieldsOf(before) }));
    show(changes.map(({ before, to }) => ({ ...before, ...to })));
    show(
      await changeTasks(
        login,
        changes.map(({ before, to }) => ({ id: before.id, ...to })),
      ),
    );
    done(what, async () => {
      const back = changes.filter(({ before: { id }, to }) => isAsMade(state.tasks.get(id), to));
      if (back.length === 0) throw new Error('They have been changed since.');
      const former = back.map(({ before, to }) => ({ id: before.id, ...formerFields(before, to) }));
      showFirst(await changeTasks(login, former));
    });
  }

  return {
    async acknowledge(tasks: readonly Task[]): Promise<void> {
      await acknowledge(tasks);
      done(`Acknowledged ${countText(tasks)}`, async () =>
        showFirst(await restoreTasks(login, idsOf(tasks))),
      );
    },
    pin(tasks: readonly Task[]): Promise<void> {
      const pinned = !tasks.every((task) => task.pinned);
      return change(`${pinned ? 'Pinned' : 'Unpinned'} ${countText(tasks)}`, tasks, () => ({ pinned }));
    },
    snooze(tasks: readonly Task[], until: Date): Promise<void> {
      const snoozedUntil = until.toISOString();
      return change(`Snoozed ${countText(tasks)} until ${timeText(until)}`, tasks, () => ({
        snoozedUntil,
      }));
    },
    tag(tasks: readonly Task[], tagsOf: (task: Task) => string[]): Promise<void> {
      const what = `Changed the tags of ${countText(tasks)}`;
      return change(what, tasks, (task) => ({ tags: tagsOf(task) }));
    },
    async add(typed: string): Promise<void> {
      const task = await addTask(login, typed);
      if (task === null) return;
      showFirst([task]);
      done('Added 1 item', () => acknowledge([task]));
    },
    async undo(): Promise<void> {
      const step = steps.pop();
      if (step !== undefined) await step.undo();
      state.notice = step === undefined ? 'There is nothing to undo.' : `Undone: ${step.what}.`;
    },
  };
}

/** Whether nobody has changed these fields since; a task that left the list by them is as it was made. */
function isAsMade(now: Task | undefined, { pinned, tags }: Fields): boolean {
  if (now === undefined) return true;
  if (pinned !== undefined && now.pinned !== pinned) return false;
  return tags === undefined || now.tags.join('\n') === tags.join('\n');
}

function formerFields(before: Task, to: Fields): Fields {
  return {
    ...(to.pinned === undefined ? {} : { pinned: before.pinned }),
    ...(to.tags === undefined ? {} : { tags: [...before.tags] }),
    ...(to.snoozedUntil === undefined ? {} : { snoozedUntil: null }),
  };
}

function countText({ length }: readonly Task[]): string {
  return length === 1 ? '1 item' : `${length} items`;
}
