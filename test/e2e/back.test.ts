// Back of the browser with a dialog open, in a real one: the dialog closes, and what is behind it stays.
import { describe, expect, test } from 'vitest';
import { inboxStage } from './inbox-stage.ts';

describe('Back', () => {
  const stage = inboxStage('back');
  const { push, panel, row } = stage;
  const dialog = (name: string) => stage.page().getByRole('dialog', { name, exact: true });
  const address = () => new URL(stage.page().url()).pathname + new URL(stage.page().url()).search;
  /** Where the history stands. An entry is left a moment after its dialog has closed. */
  const entry = () => stage.page().evaluate<number>('navigation.currentEntry.index');

  test('closes the dialog first, then the open task, then the page', async () => {
    const page = stage.page();
    await push('pump stopped');
    await row('pump stopped').click();
    await panel().getByRole('heading', { name: 'pump stopped' }).waitFor();
    const open = address();
    await page.keyboard.press('Shift+E');
    await dialog('Edit Item').getByLabel('Message').fill('pump stopped again');
    await page.goBack();
    await dialog('Edit Item').waitFor({ state: 'detached' });
    expect(await panel().isVisible()).toBe(true);
    expect(address()).toBe(open);
    // What was typed is a draft.
    await page.keyboard.press('Shift+E');
    expect(await dialog('Edit Item').getByLabel('Message').inputValue()).toBe('pump stopped again');
    const entered = await entry();
    await page.keyboard.press('Escape');
    await expect.poll(entry).toBe(entered - 1);
    await page.goBack();
    await panel().waitFor({ state: 'detached' });
    expect(address()).toBe('/inbox');
  });

  test('closes a dialog where no task is open, and leaves the page only after that', async () => {
    const page = stage.page();
    await push('there');
    await page.goto(stage.url('/api-docs'));
    await page.goto(stage.url('/inbox'));
    await row('there').waitFor();
    for (const [key, name] of [
      ['c', 'Add New Item'],
      ['?', 'Keyboard shortcuts'],
    ] as const) {
      await page.keyboard.press(key);
      await dialog(name).waitFor();
      await page.goBack();
      await dialog(name).waitFor({ state: 'detached' });
      expect(address()).toBe('/inbox');
    }
    // Closed in another way they leave nothing in the history.
    await page.keyboard.press('c');
    await dialog('Add New Item').waitFor();
    const entered = await entry();
    await page.keyboard.press('Escape');
    await expect.poll(entry).toBe(entered - 1);
    await page.goBack();
    await page.waitForURL('**/api-docs');
  });

  test('after the open task has changed behind the dialog leads to what is open now', async () => {
    const page = stage.page();
    await push('second', 'first');
    const first = (await stage.tasks()).find(({ content }) => content === 'first');
    await row('first').click();
    await panel().getByRole('heading', { name: 'first' }).waitFor();
    await page.keyboard.press('Shift+E');
    await dialog('Edit Item').waitFor();
    await stage.call('DELETE', `/tasks/${first?.id ?? ''}`);
    await panel().getByRole('heading', { name: 'second', includeHidden: true }).waitFor();
    await page.goBack();
    await dialog('Edit Item').waitFor({ state: 'detached' });
    await panel().getByRole('heading', { name: 'second' }).waitFor();
    await stage.call('DELETE', `/tasks/${(await stage.tasks())[0]?.id ?? ''}`);
    await panel().waitFor({ state: 'detached' });
    await expect.poll(address).toBe('/inbox');
  });

  test('does not close a dialog that is saving, and closes it once that has failed', async () => {
    const page = stage.page();
    let answer = () => {};
    await page.route('**/api/v1/tasks', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await new Promise<void>((done) => {
        answer = done;
      });
      await route.fulfill({ status: 500, json: { success: false, error: 'No', code: 'INTERNAL_ERROR' } });
    });
    await page.keyboard.press('c');
    await dialog('Add New Item').getByLabel('Message').fill('slow');
    await dialog('Add New Item').getByRole('button', { name: 'Add Item' }).click();
    await dialog('Add New Item').getByRole('button', { name: 'Saving…' }).waitFor();
    const entered = await entry();
    for (let time = 0; time < 2; time++) {
      await page.goBack();
      await expect.poll(entry).toBe(entered);
    }
    expect(await dialog('Add New Item').isVisible()).toBe(true);
    expect(address()).toBe('/inbox');
    answer();
    await dialog('Add New Item').getByRole('alert').waitFor();
    await page.goBack();
    await dialog('Add New Item').waitFor({ state: 'detached' });
    expect(address()).toBe('/inbox');
  });

  async function openProfile(): Promise<void> {
    await stage
      .page()
      .getByRole('button', { name: /^User menu/ })
      .click();
    await stage.page().getByRole('menuitem', { name: 'View Profile' }).click();
    await dialog('User Profile').waitFor();
  }

  test('closes the profile, and a question, and the inbox stays', async () => {
    const page = stage.page();
    await openProfile();
    await page.goBack();
    await dialog('User Profile').waitFor({ state: 'detached' });
    expect(address()).toBe('/inbox');
    await page.goto(stage.url('/admin'));
    await page
      .getByRole('button', { name: /^Revoke / })
      .first()
      .click();
    await page.getByRole('alertdialog').waitFor();
    await page.goBack();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(address()).toBe('/admin');
    expect(await page.getByRole('button', { name: /^Revoke / }).count()).toBe(1);
  });

  // The browser here has no Back of a device: its close watcher is asked as that Back asks it.
  test('of a device closes an open menu, and the page stays', async () => {
    const page = stage.page();
    await page.goto(stage.url('/inbox'));
    await page.evaluate(
      'window.CloseWatcher = class extends CloseWatcher { constructor() { super(); window.asked = this; } }',
    );
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menu').waitFor();
    await page.evaluate('window.asked.requestClose()');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(address()).toBe('/inbox');
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: /^User menu/ }))
      .waitFor();
  });

  test('closes the way in; who has signed out or in by a dialog is where that leads, and stays there', async () => {
    const page = stage.page();
    await openProfile();
    await dialog('User Profile').getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL(stage.url('/'));
    const signIn = page.locator('header').getByRole('button', { name: 'Sign In' });
    await signIn.click();
    await dialog('Sign In to Qinbox').waitFor();
    await page.goBack();
    await dialog('Sign In to Qinbox').waitFor({ state: 'detached' });
    expect(address()).toBe('/');
    await page.goto(stage.url('/api-docs'));
    const entered = await entry();
    await signIn.click();
    await dialog('Sign In to Qinbox').getByRole('textbox', { name: 'API Key' }).fill('qi_wrong');
    await page.keyboard.press('Enter');
    await dialog('Sign In to Qinbox').getByRole('alert').waitFor();
    await dialog('Sign In to Qinbox').getByRole('textbox', { name: 'API Key' }).fill(stage.key());
    await page.keyboard.press('Enter');
    await page.waitForURL(stage.url('/inbox'));
    await dialog('Sign In to Qinbox').waitFor({ state: 'detached' });
    await expect.poll(entry).toBe(entered + 1);
    await page.goBack();
    await page.getByRole('heading', { name: 'API Documentation', level: 1 }).waitFor();
    expect(address()).toBe('/api-docs');
  });
});
