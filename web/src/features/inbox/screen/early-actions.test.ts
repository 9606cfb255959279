import { flushSync } from 'react-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RowActions } from '../parts/task-row.tsx';
import { doEarlyActions, noteEarlyPresses } from './early-actions.ts';

let heard: string[] = [];
let stopHearing = new AbortController();

const actions: RowActions = {
  focused: () => undefined,
  isSelecting: () => false,
  toggle: () => undefined,
  extendTo: () => undefined,
  open: (id) => void heard.push(`open ${id}`),
  filterBy: () => undefined,
  run: () => undefined,
};

/** What listens once the inbox is drawn. */
function hear(): void {
  const { signal } = stopHearing;
  const keydown = (event: KeyboardEvent) => {
    heard.push(event.key);
    event.preventDefault();
  };
  document.addEventListener('keydown', keydown, { signal });
  document.addEventListener('click', ({ target }) => heard.push((target as Element).ariaLabel ?? ''), {
    signal,
  });
}

/** The rest of the inbox's effects run after what does early actions. */
function start(): Promise<void> {
  const done = doEarlyActions(actions, flushSync);
  hear();
  return done;
}

function press(key: string, more: KeyboardEventInit = {}, target: Element = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

function point(type: 'pointerdown' | 'pointerup' | 'pointercancel', target: Element, at = 0): void {
  const event = { bubbles: true, button: 0, isPrimary: true, clientX: at, clientY: 0 };
  target.dispatchEvent(new PointerEvent(type, event));
}

function draw(attributes: string): void {
  document.body.innerHTML = `<div id="root"><div ${attributes}><main>
    <article data-task="a" tabindex="-1"><p>first</p><button aria-label="Pin">Pin</button></article>
  </main></div></div>`;
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector) ?? document.body;

beforeEach(() => {
  heard = [];
  stopHearing = new AbortController();
  draw('data-still');
  noteEarlyPresses();
});
afterEach(async () => {
  stopHearing.abort();
  await doEarlyActions(actions, flushSync);
});

test('comes before what is pressed next, in its order', async () => {
  press('j');
  press('x');
  vi.useFakeTimers();
  // The next one is pressed as soon as anything else can happen.
  setTimeout(() => press('t'));
  void start();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(heard).toEqual(['j', 'x', 't']);
});

test('is noted until the inbox listens, and once', async () => {
  press('j');
  const done = doEarlyActions(actions, flushSync);
  press('x');
  hear();
  await done;
  press('t');
  await start();
  expect(heard).toEqual(['j', 'x', 't']);
});

test('is left to what listens already', async () => {
  hear();
  press('j');
  expect(press('k', { ctrlKey: true }).defaultPrevented).toBe(true);
  await doEarlyActions(actions, flushSync);
  expect(heard).toEqual(['j', 'k']);
});

test('the palette is asked for instead of what the browser does by that key', async () => {
  expect(press('k', { ctrlKey: true }).defaultPrevented).toBe(true);
  expect(press('f', { ctrlKey: true }).defaultPrevented).toBe(false);
  await start();
  expect(heard).toEqual(['k']);
});

test('a row that has the focus keeps it, and its keys', async () => {
  find('article').focus();
  press('Enter', {}, find('article'));
  press('Enter');
  draw('');
  await start();
  expect(document.activeElement).toBe(find('article'));
  expect(heard).toEqual(['Enter']);
});

test.each(['before', 'after'])(
  'a press whose end comes %s what is done, on a screen that is drawn anew, counts',
  async (when) => {
    point('pointerdown', find('button'));
    draw('');
    if (when === 'before') point('pointerup', find('button'));
    await start();
    if (when === 'after') point('pointerup', find('button'));
    point('pointerup', find('button'));
    expect(heard).toEqual(['Pin']);
  },
);

test('a row that is held while the screen is drawn anew is opened when it is let go', async () => {
  point('pointerdown', find('p'));
  draw('');
  await start();
  expect(heard).toEqual([]);
  point('pointerup', find('p'));
  expect(heard).toEqual(['open a']);
});

test.each([
  ['moved', () => point('pointerup', find('p'), 50)],
  ['given up', () => point('pointercancel', find('p'))],
])('a press that was %s is none', async (_what, end) => {
  point('pointerdown', find('p'));
  draw('');
  await start();
  end();
  point('pointerup', find('p'));
  expect(heard).toEqual([]);
});

test('a press on an element that is still there is left to its click', async () => {
  point('pointerdown', find('button'));
  await start();
  point('pointerup', find('button'));
  find('button').click();
  expect(heard).toEqual(['Pin']);
});
