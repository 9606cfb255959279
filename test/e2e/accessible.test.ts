// What axe can check by machine, colours included, on every screen, dialog and menu that a signed-in person
// and an administrator sees, in light and dark.
import { describe, expect, test } from 'vitest';
import { translatedOn, violationsOn } from './accessibility.ts';
import { inboxStage } from './inbox-stage.ts';

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  const stage = inboxStage(`accessible-${colorScheme}`, { colorScheme, reducedMotion: 'reduce' });
  const { push, row } = stage;
  const button = (name: string | RegExp) => stage.page().getByRole('button', { name }).first();
  const press = (key: string) => stage.page().keyboard.press(key);
  const dialog = async (key: string) => {
    await press(key);
    await stage.page().getByRole('dialog').waitFor();
  };

  const STATES: [what: string, path: string, show: () => Promise<unknown>][] = [
    ['rows', '/inbox', () => row('seen').hover()],
    ['an open task', '/inbox', () => row('mail').click({ position: { x: 200, y: 20 } })],
    ['a selection', '/inbox', () => presses('j', 'x')],
    ['suggestions', '/inbox', () => presses('/', '#', 'o')],
    ['no match', '/inbox?q=%23none', () => stage.page().getByText('No item has #none.').waitFor()],
    ['grouped', '/inbox?order=tag', () => row('seen').waitFor()],
    ['the menu of a row', '/inbox', rowMenu],
    ['the view menu', '/inbox', () => button(/^View:/).click()],
    ['the priority menu', '/inbox', () => button(/^Filter by priority/).click()],
    ['the menu of a selection', '/inbox', bulkMenu],
    ['the user menu', '/inbox', () => button(/User menu/).click()],
    ['editing', '/inbox', edit],
    ['the palette', '/inbox', () => dialog('Control+k')],
    ['adding', '/inbox', () => dialog('c')],
    ['views', '/inbox', () => dialog('v')],
    ['shortcuts', '/inbox', () => dialog('?')],
    ['tags', '/inbox', tags],
    ['what was acknowledged', '/inbox?view=acknowledged', () => heading('Recently acknowledged')],
    ['settings', '/admin', () => heading('Settings')],
    ...['appearance', 'notifications', 'keyboard', 'escalation', 'slack'].map(
      (section): (typeof STATES)[number] => [
        section,
        `/admin/${section}`,
        () => heading(section.charAt(0).toUpperCase() + section.slice(1)),
      ],
    ),
    ['quiet hours', '/admin/notifications', quietHours],
    ['the profile', '/admin', openProfile],
    ['intakes', '/admin/intakes', () => heading('Intakes')],
    ['the gallery', '/admin/intakes/new', () => heading('Webhook')],
    ['users', '/admin/users', () => heading('Users')],
    ['the system', '/admin/system', () => heading('System')],
    ['an unknown address', '/no/such/page', () => heading('Page not found')],
    ['the API', '/api-docs', () => heading('API Documentation')],
  ];
  async function presses(...keys: string[]) {
    for (const key of keys) await press(key);
  }
  async function rowMenu() {
    await press('j');
    await button(/^More actions/).click();
  }
  async function bulkMenu() {
    await presses('j', 'x');
    await button('More for the selected items').click();
    await stage.page().getByRole('menu').waitFor();
  }
  async function edit() {
    await press('j');
    await dialog('Shift+E');
  }
  async function tags() {
    await press('j');
    await dialog('t');
  }
  async function heading(name: string) {
    await stage.page().getByRole('heading', { name }).first().waitFor();
  }
  async function quietHours() {
    await stage.page().getByRole('checkbox', { name: 'Push nothing in quiet hours' }).check();
    await button('Until a time…').click();
    await stage.page().getByLabel('Time zone').waitFor();
  }
  async function openProfile() {
    await button(/User menu/).click();
    await stage.page().getByRole('menuitem', { name: 'View Profile' }).click();
    await stage.page().getByRole('dialog').waitFor();
  }

  test('nothing is wrong that a machine can see', async () => {
    const page = stage.page();
    await push({
      content: 'mail',
      priority: 'high',
      tags: ['ops'],
      metadata: { body: 'Hello *you*\n\n- one' },
    });
    await push({ content: 'seen', metadata: { resolvedAt: new Date().toISOString() } });
    const found: string[] = [];
    for (const [what, path, show] of STATES) {
      await page.goto(stage.url(path));
      await page.getByRole('heading').first().waitFor();
      if (path === '/inbox') await row('seen').waitFor();
      await show();
      await page.waitForLoadState('networkidle');
      const wrong = [...(await violationsOn(page)), ...(await translatedOn(page))];
      found.push(...wrong.map((each) => `${what}: ${each}`));
    }
    expect(found).toEqual([]);
  });
});

// What axe cannot see: in high contrast, backgrounds and shadows are not drawn.
describe('in high contrast', () => {
  const stage = inboxStage('high-contrast', { forcedColors: 'active' });
  async function drawn(selector: string, property: string, part = ''): Promise<string> {
    await stage.page().locator(selector).first().waitFor();
    const [element, of] = [JSON.stringify(selector), JSON.stringify(part)];
    return stage
      .page()
      .evaluate<string>(`getComputedStyle(document.querySelector(${element}), ${of})['${property}']`);
  }

  test('the row that has the focus, the entry of a menu and what is chosen are outlined', async () => {
    await stage.push('one', 'two');
    const { keyboard } = stage.page();
    await keyboard.press('j');
    expect(await drawn('article:focus', 'outline-style', '::after')).toBe('solid');
    await keyboard.press('Control+k');
    await stage.page().getByRole('dialog').waitFor();
    expect(await drawn('[role=option][aria-selected=true]', 'outline-style')).toBe('solid');
    await keyboard.press('Escape');
    await stage.page().getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('c');
    await stage.page().getByRole('dialog').waitFor();
    expect(await drawn('label:has(input[type=radio]:checked)', 'border-top-width')).toBe('2px');
    expect(await drawn('label:has([value=low]:not(:checked))', 'border-top-width')).toBe('0px');
  });

  test('the main button has an edge, and the mark of the live state, alone on a phone, is drawn', async () => {
    await stage.push('one');
    const canvas = await drawn('body', 'background-color');
    expect(await drawn('main button.bg-accent', 'border-top-width')).toBe('1px');
    expect(await drawn('[role=status][data-hint] > [aria-hidden]', 'background-color')).not.toBe(canvas);
  });
});
