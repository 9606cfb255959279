// New tasks in one sentence for screen readers, once no more come for a moment.
import { useEffect, useRef, useState } from 'react';
import type { Task } from '#core/contract/index.ts';

/** Tasks that come within this time of one another are announced together. */
const QUIET_MS = 1000;

/** `tasks`: null while the list is unknown. `list` names its filter. Tasks of Load More are not announced. */
export function useAnnouncement(tasks: readonly Task[] | null, list: string): string {
  const [text, setText] = useState('');
  const newest = useRef<{ list: string; createdAt: string } | null>(null);
  const news = useRef(new Map<string, Task>());

  useEffect(() => {
    if (tasks === null) return;
    const latest = tasks.reduce((max, { createdAt }) => (createdAt > max ? createdAt : max), '');
    const before = newest.current;
    if (before === null || before.list !== list) {
      newest.current = { list, createdAt: latest };
      return;
    }
    if (latest > before.createdAt) newest.current = { list, createdAt: latest };
    for (const task of tasks) if (task.createdAt > before.createdAt) news.current.set(task.id, task);
    if (news.current.size === 0) return;
    const timer = setTimeout(() => {
      const said = sentence([...news.current.values()]);
      // The same words again would not be read again.
      setText((last) => (last === said ? `${said}\u00a0` : said));
      news.current.clear();
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [tasks, list]);

  return text;
}

function sentence(tasks: readonly Task[]): string {
  const high = tasks.filter(({ priority }) => priority === 'high').length;
  const items = tasks.length === 1 ? '1 new item' : `${tasks.length} new items`;
  return high === 0 ? items : `${items}, ${high} of high priority`;
}
