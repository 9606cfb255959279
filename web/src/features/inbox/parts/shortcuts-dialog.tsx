// Every key of the inbox.
import { PALETTE_KEYS } from '../../../lib/commands.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Keys } from '../../../ui/keys.tsx';

const KEYS: [group: string, keys: [key: string, what: string][]][] = [
  [
    'Move',
    [
      ['j k', 'Next, previous item'],
      [PALETTE_KEYS, 'Command palette'],
      ['/', 'Search'],
      ['1 2 3', 'High, normal, low'],
      ['0', 'All priorities'],
    ],
  ],
  [
    'Select',
    [
      ['x', 'Select or deselect'],
      ['Shift Click', 'Select a range'],
      ['Esc', 'Clear selection, filters'],
    ],
  ],
  [
    'Act',
    [
      ['e', 'Acknowledge'],
      ['z', 'Undo'],
      ['p', 'Pin or unpin'],
      ['Enter', 'Details'],
      ['Shift E', 'Edit'],
      ['c', 'Add an item'],
      ['.', 'Refresh'],
    ],
  ],
];

interface ShortcutsDialogProps {
  open: boolean;
  onClose: () => void;
}

export default function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <p className="mb-5 text-14 text-ink-2">
        What you select is acknowledged and pinned together, and one undo takes it back together.
      </p>
      <div className="gap-8 sm:columns-2">
        {KEYS.map(([group, keys]) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-2 text-13 font-medium text-ink-3">{group}</h3>
            <dl className="flex flex-col gap-2">
              {keys.map(([key, what]) => (
                <div key={key} className="flex items-center justify-between gap-4">
                  <dt className="order-last shrink-0">
                    <Keys keys={key} />
                  </dt>
                  <dd className="text-14">{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
