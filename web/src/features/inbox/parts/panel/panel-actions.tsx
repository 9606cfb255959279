// What can be done to the open task.
import { Check, ClipboardCheck, Copy } from 'lucide-react';
import type { Task } from '#core/contract/index.ts';
import { Button } from '../../../../ui/button.tsx';
import { useCopy } from '../../../../ui/copyable.tsx';
import { IconButton } from '../../../../ui/hints.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { batchOf } from '../../model/command-labels.ts';
import {
  ACKNOWLEDGE,
  EDIT,
  KEEP_LONGER,
  labelOf,
  PIN,
  SNOOZE,
  type InboxActions,
  type TaskCommand,
} from '../../model/commands.ts';
import { detailsOf } from '../../model/metadata-details.ts';
import { CommandIcon } from '../command-icon.tsx';

const OTHERS: readonly TaskCommand[] = [PIN, EDIT, SNOOZE, KEEP_LONGER];

interface PanelActionsProps {
  task: Task;
  actions: InboxActions;
  /** Called after what ends in the list, where it covers the list; null where it stays. */
  onDone: (() => void) | null;
}

export function PanelActions({ task, actions, onDone }: PanelActionsProps) {
  const batch = batchOf([task]);
  return (
    <div className="flex flex-wrap items-center gap-1 border-t border-line-1 px-3 py-2 max-sm:pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      {OTHERS.map((command) => (
        <IconButton
          key={command.id}
          label={labelOf(command, batch)}
          keys={command.keys}
          onClick={() => {
            if (command.opensDialog === true) onDone?.();
            command.run(actions, [task]);
          }}
          className="touch:size-11"
        >
          <CommandIcon command={command} batch={batch} size={17} />
        </IconButton>
      ))}
      <CopyTask task={task} />
      <span className="flex-1" />
      <Button
        kind="primary"
        onClick={() => {
          onDone?.();
          ACKNOWLEDGE.run(actions, [task]);
        }}
        data-hint="Acknowledge"
        data-keys={ACKNOWLEDGE.keys}
        // On a phone it does not fit beside the others.
        className="touch:h-11 max-[26rem]:w-full"
      >
        <Check size={17} aria-hidden />
        Acknowledge
      </Button>
    </div>
  );
}

function CopyTask({ task }: { task: Task }) {
  const { copied, copy } = useCopy(textOf(task));
  async function copyOrSay() {
    if (await copy()) return;
    void notify({ text: 'This browser does not let the page copy', detail: 'Select the text instead.' });
  }

  return (
    <IconButton label={copied ? 'Copied' : 'Copy'} onClick={() => void copyOrSay()} className="touch:size-11">
      {copied ? <ClipboardCheck size={17} className="text-ok" aria-hidden /> : <Copy size={17} aria-hidden />}
    </IconButton>
  );
}

/** All that it says, as text. */
function textOf(task: Task): string {
  const { url, body } = detailsOf(task);
  return [task.content, body, url].filter((part) => part !== null).join('\n\n');
}
