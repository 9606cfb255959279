import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Form } from './form.tsx';
import { Pills } from './pills.tsx';

const OPTIONS = [
  { value: 'mon', label: 'Mo', name: 'Monday' },
  { value: 'tue', label: 'Tu', name: 'Tuesday' },
];

function Days({ error, failure = null }: { error?: string; failure?: object | null }) {
  return (
    <Form failure={failure} onSubmit={() => undefined}>
      <input aria-label="Name" />
      <Pills
        label="Days"
        hint="At least one"
        options={OPTIONS}
        chosen={[]}
        onToggle={() => undefined}
        error={error}
      />
    </Form>
  );
}

test('a choice that is wrong is told of at each of its pills, and gets the focus when it was not taken', () => {
  const { rerender } = render(<Days />);
  const days = screen.getByRole('group', { name: 'Days', description: 'At least one' });
  expect(screen.getByRole('checkbox', { name: 'Monday' }).getAttribute('aria-invalid')).toBe(null);

  rerender(<Days error="Choose one" failure={{}} />);
  expect(days).toBe(screen.getByRole('group', { description: 'Choose one At least one' }));
  for (const pill of screen.getAllByRole('checkbox'))
    expect(pill.getAttribute('aria-invalid'), pill.getAttribute('aria-label') ?? '').toBe('true');
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Monday' }));
});

test('loads no page', () => {
  const onSubmit = vi.fn<() => void>();
  render(<Form aria-label="Any" onSubmit={onSubmit} />);
  expect(fireEvent.submit(screen.getByRole('form'))).toBe(false);
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

test('in a dialog that fades out takes nothing any more', async () => {
  const onSubmit = vi.fn<() => void>();
  const draw = (closed: boolean) => (
    <div data-modal="" {...(closed ? { 'data-closed': '' } : {})}>
      <Form onSubmit={onSubmit}>
        <button type="submit">Add</button>
      </Form>
    </div>
  );
  const { rerender } = render(draw(false));
  const user = userEvent.setup();
  await user.click(screen.getByRole('button'));
  expect(onSubmit).toHaveBeenCalledTimes(1);
  rerender(draw(true));
  await user.click(screen.getByRole('button'));
  expect(onSubmit).toHaveBeenCalledTimes(1);
});
