// The front door: what it says, where it leads, and the two things on it that move.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { afterwards, firstPicture, momentOf, SENT } from './model/demo.ts';

afterEach(() => void vi.useRealTimers());

function allowMotion() {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
}

const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

test('every section and button of the landing page is there, and it passes axe', async () => {
  open('/', { signedIn: false });
  await screen.findByRole('heading', { level: 1, name: 'Focus on today' });
  expect([linkTo('Open Inbox'), linkTo('Get Started'), linkTo('View API Docs')]).toEqual([
    '/inbox',
    '/inbox',
    '/api-docs',
  ]);
  const sections = {
    'How It Works': ['Send Tasks', 'Triage Inbox', 'Act or Expire'],
    'Task Lifecycle Timeline': [],
    'Core Features': [
      'Ephemeral by Design',
      'Priority System',
      'Pin Important Tasks',
      'Multiple Sources',
      'Cloud-Based',
      'Real-time Updates',
    ],
    'Perfect For': [
      'Development teams',
      'System administrators',
      'Product managers',
      'Personal productivity',
    ],
  };
  for (const [name, titles] of Object.entries(sections)) {
    const section = screen.getByRole('region', { name });
    expect(
      within(section)
        .queryAllByRole('heading', { level: 3 })
        .map((each) => each.textContent),
    ).toEqual(titles);
  }
  expect(screen.getByText(/^curl -d "backup failed"/).textContent).toContain(
    `${location.origin}/api/v1/tasks`,
  );
  await expectAccessible();
});

describe('the timeline', () => {
  async function timeline() {
    const { user } = open('/', { signedIn: false });
    const slider = await screen.findByRole('slider', { name: 'Hours since the task was created' });
    const section = within(screen.getByRole('region', { name: 'Task Lifecycle Timeline' }));
    return { user, slider, section, story: section.getByRole('status') };
  }

  test('ages a task through its stages until it expires', async () => {
    const { slider, section, story } = await timeline();
    expect(section.getAllByRole('button').map((each) => each.textContent)).toEqual(
      expect.arrayContaining(['Created 0h', 'Active 1-12h', 'Aging 12-20h', 'Expired 24h']),
    );
    fireEvent.change(slider, { target: { value: '14' } });
    expect(slider.getAttribute('aria-valuetext')).toBe('14 hours: Aging, 10 h left');
    expect(section.getByRole('button', { current: 'step' }).textContent).toBe('Aging 12-20h');
    fireEvent.change(slider, { target: { value: '23.5' } });
    expect(section.getByText('30 min left')).toBeTruthy();
    fireEvent.change(slider, { target: { value: '24' } });
    expect(story.textContent).toContain('it left by itself');
  });

  test('keeps a pinned task beyond its day', async () => {
    const { user, section, story } = await timeline();
    await user.click(section.getByRole('button', { name: 'Pin' }));
    await user.click(section.getByRole('button', { name: 'Expired 24h' }));
    expect(story.textContent).toContain('still here');
    await user.click(section.getByRole('button', { name: 'Unpin' }));
    expect(section.getByText('1 h left')).toBeTruthy();
  });

  test.each([
    [0, 'created', '24 h left'],
    [0.5, 'created', '24 h left'],
    [1, 'active', '23 h left'],
    [12, 'aging', '12 h left'],
    [23, 'aging', '1 h left'],
    [24, 'expired', 'expired'],
  ])('at hour %d a task is %s with %s', (hour, stage, left) => {
    expect(momentOf(hour, false)).toMatchObject({ stage, left });
  });
});

describe('the demonstration', () => {
  test('types each command, sends it, and shows its task first; no more than five rows are kept', () => {
    let demo = firstPicture();
    for (const { text, command } of [...SENT.slice(1), ...SENT]) {
      for (let i = 0; i < command.length + 2; i++) demo = afterwards(demo);
      expect(demo).toMatchObject({ sent: true, typed: command.length });
      expect(demo.rows[0]?.text).toBe(text);
      expect(new Set(demo.rows.map(({ id }) => id)).size).toBe(demo.rows.length);
    }
    expect(demo.rows).toHaveLength(5);
  });

  const firstRow = () => document.querySelector('.demo-row')?.textContent;

  test('runs until it is paused', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    allowMotion();
    open('/', { signedIn: false });
    const pause = await screen.findByRole('button', { name: 'Pause the demonstration' });
    const before = firstRow();
    for (let i = 0; i < 120 && firstRow() === before; i++) act(() => void vi.advanceTimersByTime(3000));
    expect(firstRow()).toContain(SENT[1]?.text);
    fireEvent.click(pause);
    const still = document.querySelector('.demo-command')?.textContent;
    for (let i = 0; i < 10; i++) act(() => void vi.advanceTimersByTime(3000));
    expect(document.querySelector('.demo-command')?.textContent).toBe(still);
    expect(screen.getByRole('button', { name: 'Play the demonstration' })).toBeTruthy();
  });

  test('stands still and complete where less motion is asked for', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
    open('/', { signedIn: false });
    await screen.findByText('Today');
    for (let i = 0; i < 10; i++) act(() => void vi.advanceTimersByTime(3000));
    expect(screen.queryByRole('button', { name: /demonstration/ })).toBeNull();
    expect(document.querySelector('.demo-command')?.textContent).toContain(SENT[0]?.command);
    expect(document.querySelectorAll('.demo-row')).toHaveLength(4);
  });
});
