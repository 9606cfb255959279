// The open dialog of the inbox. Text that is typed before its code has loaded goes into its first field.
import { useEffect, useRef, useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import { storeTyped } from '../data/use-draft.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import { cancelOpening, open, type Opening } from '../../../ui/opening.ts';

export const ItemDialog = onDemand(() => import('../parts/item-dialog.tsx'));
export const TagsDialog = onDemand(() => import('../parts/tags-dialog.tsx'));
export const SnoozeDialog = onDemand(() => import('../parts/snooze-dialog.tsx'));
export const ViewsDialog = onDemand(() => import('../parts/views-dialog.tsx'));
export const ShortcutsDialog = onDemand(() => import('../parts/shortcuts-dialog.tsx'));

type OpenDialog =
  | { kind: 'item'; task: Task | null }
  | { kind: 'tags'; tasks: readonly Task[] }
  | { kind: 'snooze'; tasks: readonly Task[] }
  | { kind: 'views' }
  | { kind: 'keys' };

export function useDialogs() {
  const [now, setNow] = useState<OpenDialog | null>(null);
  const asked = useRef<Opening>(undefined);
  useEffect(() => () => cancelOpening(asked.current), []);

  // One person's text is not shown to the next who signs in.
  const { method, user } = useSession();
  const who = method === 'none' ? null : `${method} ${user?.id ?? ''}`;
  const askedBy = useRef<string>(null);
  useEffect(() => {
    if (who !== null && who !== askedBy.current) setNow(null);
  }, [who]);

  return {
    now,
    open: (dialog: OpenDialog) => {
      askedBy.current = who;
      // One takes the place of the other, also while its code is on its way.
      setNow(null);
      asked.current = { ...looksOf(dialog), show: () => setNow(dialog) };
      void open(asked.current);
    },
    close: () => setNow(null),
  };
}

function looksOf(dialog: OpenDialog): Omit<Opening, 'show'> {
  if (dialog.kind === 'tags') return { title: 'Tags', code: TagsDialog, field: 'line' };
  if (dialog.kind === 'snooze') return { title: 'Snooze', code: SnoozeDialog, field: 'choices' };
  if (dialog.kind === 'views') return { title: 'Saved views', code: ViewsDialog, field: 'line' };
  if (dialog.kind === 'keys') return { title: 'Keyboard shortcuts', code: ShortcutsDialog, field: 'none' };
  return {
    title: dialog.task === null ? 'Add New Item' : 'Edit Item',
    code: ItemDialog,
    field: 'lines',
    storeText: (text) => storeTyped(dialog.task, text),
  };
}
