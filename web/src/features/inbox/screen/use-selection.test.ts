import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useSelection } from './use-selection.ts';

const LISTED = ['a', 'b', 'c', 'd', 'e'];

function select(listed: readonly string[] = LISTED, complete = true, fetching = false) {
  const loadAll = vi.fn<() => void>();
  const hook = renderHook((props) => useSelection(props.listed, props, loadAll), {
    initialProps: { listed, complete, fetching },
  });
  type Selection = typeof hook.result.current;
  return {
    loadAll,
    rerender: hook.rerender,
    is: () => [...hook.result.current.ids].join(''),
    isLoading: () => hook.result.current.isLoading,
    do: (action: (selection: Selection) => void) => act(() => action(hook.result.current)),
  };
}

test('a range goes from the row that was selected last, and shrinks as it grew', () => {
  const selection = select();
  selection.do(({ toggle }) => toggle('b'));
  selection.do(({ extendTo }) => extendTo('d'));
  expect(selection.is()).toBe('bcd');
  selection.do(({ extendTo }) => extendTo('c'));
  expect(selection.is()).toBe('bc');
  selection.do(({ extendTo }) => extendTo('a'));
  expect(selection.is()).toBe('ba');
});

test('a range leaves what was selected before it', () => {
  const selection = select();
  selection.do(({ toggle }) => toggle('a'));
  selection.do(({ toggle }) => toggle('d'));
  selection.do(({ extendTo }) => extendTo('e'));
  expect(selection.is()).toBe('ade');
});

test('without a row before it, a range by keyboard begins where the cursor was', () => {
  const selection = select();
  selection.do(({ extendTo }) => extendTo('c', 'b'));
  expect(selection.is()).toBe('bc');
});

test('all, and all others', () => {
  const selection = select();
  selection.do(({ toggle }) => toggle('b'));
  selection.do(({ invert }) => invert());
  expect(selection.is()).toBe('acde');
  selection.do(({ all }) => all());
  expect(selection.is()).toBe('abcde');
  selection.do(({ invert }) => invert());
  expect(selection.is()).toBe('');
});

test('all of a list that is not loaded yet is loaded first', () => {
  const selection = select(['a', 'b'], false);
  selection.do(({ all }) => all());
  expect(selection.loadAll).toHaveBeenCalled();
  expect([selection.is(), selection.isLoading()]).toEqual(['', true]);
  selection.rerender({ listed: LISTED, complete: true, fetching: true });
  expect([selection.is(), selection.isLoading()]).toEqual(['', true]);
  selection.rerender({ listed: LISTED, complete: true, fetching: false });
  expect([selection.is(), selection.isLoading()]).toEqual(['abcde', false]);
});

test('all is loaded on when tasks come meanwhile', () => {
  const selection = select(['a', 'b'], false);
  selection.do(({ all }) => all());
  selection.rerender({ listed: ['a', 'b'], complete: false, fetching: true });
  selection.loadAll.mockClear();
  selection.rerender({ listed: LISTED.slice(1), complete: false, fetching: false });
  expect(selection.loadAll).toHaveBeenCalled();
  selection.rerender({ listed: LISTED, complete: true, fetching: false });
  expect([selection.is(), selection.isLoading()]).toEqual(['abcde', false]);
});

test('rows that have gone are not selected any more', () => {
  const selection = select();
  selection.do(({ all }) => all());
  selection.rerender({ listed: ['a', 'c'], complete: true, fetching: false });
  expect(selection.is()).toBe('ac');
});
