// What the notices of the inbox say, and when.
import { useEffect, useState } from 'react';
import { localStore } from '../../../lib/local-store.ts';
import { session } from '../../../lib/services.ts';
import { dismissLinkProblem, linkProblem } from '../../../lib/session/sign-in-link.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import type { Queue } from '../data/use-queue.ts';
import type { Changes } from './use-changes.ts';

const USED = 'qinbox.used';

/** The notice to guests: on a public queue at each try to change it, in the demo at the first one. */
export function useGuestNotice({ readOnly, demo }: Queue) {
  const [notice, setNotice] = useState<'unseen' | 'shown' | 'dismissed'>('unseen');
  const show = () => setNotice('shown');
  const noteDemo = () => {
    if (demo && notice === 'unseen') show();
  };
  return {
    isShown: notice === 'shown',
    show,
    dismiss: () => setNotice('dismissed'),
    noteDemo,
    /** Called at each try to change something; returns whether it may go on. */
    mayChange: () => {
      if (readOnly) show();
      noteDemo();
      return !readOnly;
    },
  };
}

/** Whether this browser has ever shown a task of a real queue. */
export function useEverUsed({ view, demo }: Queue): boolean {
  const [everUsed, setEverUsed] = useState(() => localStore.get(USED) === 'yes');
  const { total } = view.statistics;
  useEffect(() => {
    if (total === 0 || demo || everUsed) return;
    localStore.set(USED, 'yes');
    setEverUsed(true);
  }, [total, demo, everUsed]);
  return everUsed;
}

/** A sign-in link that did not work. */
export function useLinkProblem(loading: boolean) {
  const [problem, setProblem] = useState(linkProblem);
  useEffect(() => setProblem(linkProblem()), [loading]);
  return {
    problem,
    dismiss: () => {
      dismissLinkProblem();
      setProblem(null);
    },
  };
}

let isUnkeptDismissed = false;

/** The session ends with this page, because the browser does not store it. Said until it is dismissed. */
export function useUnkeptSession() {
  const { authenticated } = useSession();
  const [isDismissed, setDismissed] = useState(isUnkeptDismissed);
  return {
    isShown: authenticated && !isDismissed && !session.isStored,
    dismiss: () => {
      isUnkeptDismissed = true;
      setDismissed(true);
    },
  };
}

/** The problem of the last change, else of fetching. A dismissed message of a fetch stays away. */
export function useProblem(queue: Queue, changes: Changes) {
  const [dismissed, setDismissed] = useState<string | null>(null);
  const fetchProblem = queue.problem?.message === dismissed ? null : queue.problem;
  return {
    problem: changes.problem ?? fetchProblem,
    dismiss: () => {
      if (changes.problem !== null) changes.dismissProblem();
      else setDismissed(queue.problem?.message ?? null);
    },
  };
}
