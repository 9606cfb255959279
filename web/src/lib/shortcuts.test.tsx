import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from '../ui/dialog.tsx';
import { useShortcuts } from './shortcuts.ts';

// jsdom draws nothing, so that nothing fades out there: one animation, which ends when the test says so.
let end: () => void;
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  end = resolve;
  Element.prototype.getAnimations = () => [{ finished: promise } as unknown as Animation];
});
afterEach(() => {
  Reflect.deleteProperty(Element.prototype, 'getAnimations');
});

function Page({ onKey }: { onKey: () => void }) {
  const row = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  useShortcuts({
    j: () => {
      onKey();
      row.current?.focus();
    },
  });
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <button ref={row}>Row</button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Some">
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

test('a dialog has the keys while it is open, and the page has them as soon as it fades out', async () => {
  const user = userEvent.setup();
  const onKey = vi.fn<() => void>();
  render(<Page onKey={onKey} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(screen.getByRole('textbox', { name: 'Name' }));
  await user.keyboard('j');
  expect(onKey).not.toHaveBeenCalled();
  await user.keyboard('{Escape}j');
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name', hidden: true });
  expect([field.value, onKey.mock.calls.length]).toEqual(['j', 1]);
  // The focus that the key has moved stays there once the dialog is gone.
  end();
  await waitFor(() => expect(screen.queryByRole('textbox', { hidden: true })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' }));
});

test('the focus is back where it was once a dialog has faded out', async () => {
  const user = userEvent.setup();
  render(<Page onKey={() => undefined} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(screen.getByRole('textbox', { name: 'Name' }));
  await user.keyboard('{Escape}');
  end();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })));
});
