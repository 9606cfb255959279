import { render, screen } from '@testing-library/react';
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
