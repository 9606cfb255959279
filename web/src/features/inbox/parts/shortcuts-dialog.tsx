// The list of the inbox's keys, from the table of commands.
import { PALETTE_KEYS } from '../../../lib/palette-commands.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { INBOX_COMMANDS, type InboxCommand } from '../model/commands.ts';

type Group = NonNullable<InboxCommand['help']>['group'];
type Line = [keys: string, text: string];

/** Lines without a command. */
const OTHERS: Record<Group, Line[]> = {
  Move: [
    ['j k', 'Next, previous item'],
    [PALETTE_KEYS, 'Command palette'],
  ],
  Select: [['Shift Click', 'Select a range']],
  Act: [],
};

const GROUPS = (['Move', 'Select', 'Act'] as const).map((group): [Group, Line[]] => [
  group,
  [
    ...OTHERS[group],
    ...INBOX_COMMANDS.flatMap(({ help, keys = '', label }): Line[] =>
      help?.group === group ? [[help.keys ?? keys, help.text ?? String(label)]] : [],
    ),
  ],
]);

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <p className="mb-5 text-14 text-ink-2">
        What you select is acknowledged and pinned together, and one undo takes it back together.
      </p>
      <div className="gap-8 sm:columns-2">
        {GROUPS.map(([group, lines]) => (
          // Padding: WebKit carries a margin over into the next column.
          <section key={group} className="break-inside-avoid pb-5">
            <h3 className="mb-2 text-13 font-medium text-ink-3">{group}</h3>
            <dl className="flex flex-col gap-2">
              {lines.map(([keys, text]) => (
                <div key={keys} className="flex items-center justify-between gap-4">
                  <dt className="order-last shrink-0">
                    <Keys keys={keys} />
                  </dt>
                  <dd className="text-14">{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
