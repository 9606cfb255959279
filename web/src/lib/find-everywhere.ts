// What the command palette finds beside commands: tasks of the queue, and intakes.
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Intake, Task } from '#core/contract/index.ts';
import { useQuery } from './queries.ts';
import { useIntakeList } from './intake-list.ts';
import type { Command } from './palette-commands.ts';
import { api } from './services.ts';
import { useSession } from './session/use-session.ts';
import { firstLine } from './text.ts';

const TYPING_MS = 150;
const SHORTEST = 2;
const MOST_TASKS = 6;
const MOST_INTAKES = 4;
const LONGEST_LABEL = 90;
const LONGEST_QUERY = 200;

/** Asks once the typing pauses. `go` opens an address. */
export function useFoundEverywhere(typed: string, go: (path: string) => void): readonly Command[] {
  const { authenticated, method, user } = useSession();
  const wanted = usePaused(typed.trim().slice(0, LONGEST_QUERY));
  const isWanted = wanted.length >= SHORTEST;
  const { data: tasks = [] } = useQuery({
    queryKey: ['palette', method, user?.id, wanted],
    queryFn: async ({ signal }) =>
      (await api('GET /tasks', { signal, query: { q: wanted, limit: MOST_TASKS } })).tasks,
    enabled: authenticated && isWanted,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { data: intakes = [] } = useIntakeList({ enabled: method === 'jwt' && isWanted, staleTime: 60_000 });
  if (!isWanted || typed.trim() === '') return [];
  return [
    ...tasks.map((task) => taskEntry(task, go)),
    ...intakes
      .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
      .slice(0, MOST_INTAKES)
      .map((intake) => intakeEntry(intake, go)),
  ];
}

function taskEntry({ id, content }: Task, go: (path: string) => void): Command {
  return {
    id: `task-${id}`,
    label: firstLine(content.trim(), LONGEST_LABEL),
    group: 'Item',
    run: () => go(`/inbox?task=${encodeURIComponent(id)}`),
  };
}

function intakeEntry({ id, name }: Intake, go: (path: string) => void): Command {
  return {
    id: `intake-${id}`,
    label: name,
    group: 'Intake',
    run: () => go(`/admin/intakes/${encodeURIComponent(id)}`),
  };
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
