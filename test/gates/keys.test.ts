// The inbox in the terminal has the keys of the web app.
import { expect, it } from 'vitest';
import { SCREEN_COMMANDS } from '#cli/screen/commands.ts';
import { INBOX_COMMANDS } from '../../web/src/features/inbox/model/commands.ts';

const inApp = new Map(INBOX_COMMANDS.map((command) => [command.id, command]));
/** Of the app, j, k and the arrows are in no table; links and menus take a mouse there. */
const OWN = [
  'next',
  'previous',
  'extend-next',
  'extend-previous',
  'first',
  'last',
  'page-down',
  'page-up',
].concat(['open-link', 'redraw', 'suspend', 'quit']);
/** Of the app, too; docs/cli.md says that they are there alone. */
const ONLY_IN_APP = ['edit', 'save-or-change-views'];

it('has the same key for the same command, and no key for two', () => {
  for (const { id, keys } of SCREEN_COMMANDS.filter((command) => !OWN.includes(command.id)))
    expect([id, keys[0]]).toEqual([id, inApp.get(id)?.keys?.replace('Shift ', '')]);
  const all = SCREEN_COMMANDS.flatMap(({ keys }) => keys);
  expect(new Set(all).size).toBe(all.length);
  for (const { id, keys } of INBOX_COMMANDS) {
    const own = SCREEN_COMMANDS.find((command) => command.keys.includes(keys?.replace('Shift ', '') ?? ''));
    expect([id, own?.id]).toEqual([id, keys === undefined || ONLY_IN_APP.includes(id) ? undefined : id]);
  }
});
