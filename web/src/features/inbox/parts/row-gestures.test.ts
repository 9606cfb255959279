import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listenToRows } from './row-gestures.ts';

const done = vi.fn<(what: string, id: string) => void>();
let row: HTMLElement;
let selecting = false;

beforeEach(() => {
  done.mockClear();
  selecting = false;
  document.body.innerHTML = '<ul><li><article data-task="task_1"><div data-face>x</div></article></li></ul>';
  const list = document.querySelector<HTMLElement>('ul');
  const article = document.querySelector<HTMLElement>('article');
  if (list === null || article === null) throw new Error('no list');
  row = article;
  row.setPointerCapture = () => undefined;
  const gesture = (what: string) => (id: string) => done(what, id);
  listenToRows(list, {
    swipeRight: gesture('right'),
    swipeLeft: gesture('left'),
    toggle: gesture('toggle'),
    extendTo: gesture('extend'),
    open: gesture('open'),
    isSelecting: () => selecting,
    focused: gesture('focused'),
  });
});

function drag(path: [x: number, y: number][], pointerType = 'touch') {
  const say = (type: string, [clientX, clientY]: [number, number]) =>
    row.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerType, bubbles: true }));
  say('pointerdown', [200, 50]);
  for (const point of path) say('pointermove', point);
  say('pointerup', path.at(-1) ?? [200, 50]);
}

describe('a swipe', () => {
  test.each<[string, [number, number][], string[]]>([
    [
      'far to the right acknowledges',
      [
        [230, 50],
        [300, 52],
      ],
      ['right'],
    ],
    [
      'far to the left pins',
      [
        [170, 50],
        [100, 48],
      ],
      ['left'],
    ],
    [
      'not far enough does nothing',
      [
        [230, 50],
        [280, 50],
      ],
      [],
    ],
    [
      'up or down is scrolling',
      [
        [202, 80],
        [320, 90],
      ],
      [],
    ],
    [
      'back again is thought better of',
      [
        [300, 50],
        [205, 50],
      ],
      [],
    ],
  ])('%s', (_, path, expected) => {
    drag(path);
    expect(done.mock.calls.map(([what]) => what)).toEqual(expected);
    expect(row.dataset.swipe).toBeUndefined();
  });

  const say = (type: string, pointerId: number, clientX: number, target: Element = row) =>
    target.dispatchEvent(
      new PointerEvent(type, { clientX, clientY: 50, pointerType: 'touch', pointerId, bubbles: true }),
    );
  const moved = () => row.querySelector<HTMLElement>('[data-face]')?.style.transform;

  test('that the browser cancels does nothing, and the row is back in its place', () => {
    say('pointerdown', 1, 200);
    say('pointermove', 1, 330);
    expect(moved()).toBe('translateX(130px)');
    say('pointercancel', 1, 330);
    say('pointerup', 1, 330);
    expect([moved(), row.dataset.swipe, done.mock.calls]).toEqual(['', undefined, []]);
  });

  test.each(['row', 'list'])('of two fingers is none: the second one is on the %s', (where) => {
    const target = (where === 'row' ? row : row.closest('ul')) ?? row;
    say('pointerdown', 1, 100);
    say('pointermove', 1, 130);
    say('pointerdown', 2, 300, target);
    expect([moved(), row.dataset.swipe]).toEqual(['', undefined]);
    say('pointermove', 2, 320, target);
    say('pointermove', 1, 230);
    say('pointerup', 2, 320, target);
    say('pointerup', 1, 230);
    expect([moved(), done.mock.calls]).toEqual(['', []]);
  });

  test('is a matter of fingers: a mouse selects text', () => {
    drag(
      [
        [230, 50],
        [320, 50],
      ],
      'mouse',
    );
    expect(done).not.toHaveBeenCalled();
  });

  test('shows where it leads, and when it is far enough', () => {
    row.dispatchEvent(new PointerEvent('pointerdown', { clientX: 0, pointerType: 'touch', bubbles: true }));
    row.dispatchEvent(new PointerEvent('pointermove', { clientX: 40, pointerType: 'touch', bubbles: true }));
    expect([row.dataset.swipe, row.hasAttribute('data-armed')]).toEqual(['right', false]);
    row.dispatchEvent(new PointerEvent('pointermove', { clientX: 100, pointerType: 'touch', bubbles: true }));
    expect(row.hasAttribute('data-armed')).toBe(true);
  });
});

test('a click opens; with Ctrl or ⌘ it selects one more, with Shift all in between', () => {
  row.dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }));
  row.dispatchEvent(new MouseEvent('click', { metaKey: true, bubbles: true }));
  row.dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }));
  row.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  expect(done.mock.calls.map(([what]) => what)).toEqual(['toggle', 'toggle', 'extend', 'open']);
});

describe('a finger', () => {
  const say = (type: string) =>
    row.dispatchEvent(
      new PointerEvent(type, { clientX: 10, clientY: 10, pointerType: 'touch', bubbles: true }),
    );
  const click = () => row.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const what = () => done.mock.calls.map(([each]) => each);

  test('that taps opens; while rows are selected it selects', () => {
    say('pointerdown');
    say('pointerup');
    click();
    selecting = true;
    say('pointerdown');
    say('pointerup');
    click();
    expect(what()).toEqual(['open', 'toggle']);
  });

  test('that is held selects, and lifting it does not open', () => {
    vi.useFakeTimers();
    say('pointerdown');
    vi.advanceTimersByTime(600);
    expect(what()).toEqual(['toggle']);
    say('pointerup');
    click();
    vi.useRealTimers();
    expect(what()).toEqual(['toggle']);
  });

  test('that swipes far does not open as well', () => {
    drag([
      [230, 50],
      [320, 50],
    ]);
    click();
    expect(what()).toEqual(['right']);
  });
});
