import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Findable } from './findable.tsx';

const names = (count: number) => Array.from({ length: count }, (_, n) => `entry ${n}`);

test('opens nothing where nothing was typed, and stays while something is typed, however few are left', async () => {
  const onOpen = vi.fn<(item: string) => void>();
  const draw = (items: string[]) => (
    <Findable items={items} textOf={(item) => item} label="Find an entry" onOpen={onOpen}>
      {(found) => <p>{found.join(', ')}</p>}
    </Findable>
  );
  const { rerender } = render(draw(names(11)));
  const user = userEvent.setup();
  const field = screen.getByRole('searchbox', { name: 'Find an entry' });
  await user.type(field, '{Enter}');
  expect(onOpen).not.toHaveBeenCalled();

  await user.type(field, 'entry 1');
  rerender(draw(names(5)));
  expect(screen.getByRole('searchbox')).toBe(field);
  expect(screen.getByText('entry 1')).toBeTruthy();
  await user.type(field, '{Enter}');
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('entry 1');
  await user.clear(field);
  expect(screen.queryByRole('searchbox')).toBeNull();
  expect(screen.getByText(names(5).join(', '))).toBeTruthy();
});
