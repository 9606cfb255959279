import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProblemBanner } from './banner.tsx';
import { Dialog } from './dialog.tsx';
import { PriorityMark } from './priority-mark.tsx';

test.each([
  ['high', 'text-danger', 'path'],
  ['normal', 'text-info', 'circle'],
  ['low', 'text-muted', 'path'],
] as const)(
  '%s priority has its colour (red, blue, gray) and a shape of its own',
  (priority, colour, shape) => {
    render(<PriorityMark priority={priority} named />);
    const mark = screen.getByRole('img', { name: new RegExp(`${priority} priority`, 'i') });
    expect(mark.classList).toContain(colour);
    expect(mark.firstElementChild?.tagName).toBe(shape);
  },
);

test('an error is shown as it is, with its code; without a text it is unexpected', () => {
  const { rerender, container } = render(<ProblemBanner problem={{ message: 'Full.', code: 'CONFLICT' }} />);
  expect(container.textContent).toBe('Full.Error Code: CONFLICT');
  rerender(<ProblemBanner problem={{ message: '' }} />);
  expect(container.textContent).toBe('An unexpected error occurred');
});

test.each(['sm', 'md', 'lg', 'xl', '2xl'] as const)('a dialog can be %s wide', (size) => {
  render(
    <Dialog open onClose={() => undefined} title="Some" size={size}>
      x
    </Dialog>,
  );
  expect(screen.getByRole('dialog', { name: 'Some' }).classList).toContain(`max-w-${size}`);
});

test('what Tab does not reach has the focus again when a dialog closes, and not a button inside', async () => {
  const page = (open: boolean) => (
    <>
      <div id="content" tabIndex={-1}>
        <button type="button">First</button>
      </div>
      <Dialog open={open} onClose={() => undefined} title="Some">
        x
      </Dialog>
    </>
  );
  const { rerender } = render(page(false));
  document.querySelector<HTMLElement>('#content')?.focus();
  rerender(page(true));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')));
  rerender(page(false));
  await waitFor(() => expect(document.activeElement?.id).toBe('content'));
});
