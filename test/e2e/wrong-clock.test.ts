// In a browser whose clock is days off, what goes by the age of a text or of a change goes by the server's.
import { describe, expect, test } from 'vitest';
import { inboxStage } from './inbox-stage.ts';

const DAY_MS = 24 * 3_600_000;

describe('in a browser whose clock is', () => {
  const stage = inboxStage('wrong-clock');
  const { push, row } = stage;

  test.each([
    ['two days ahead', 2 * DAY_MS],
    ['two days behind', -2 * DAY_MS],
  ])('%s, a draft is kept, and an unsent change is sent unasked', async (_, offMs) => {
    const page = stage.page();
    await push('pump stopped', 'seen');
    await page.addInitScript(`const now = Date.now; Date.now = () => now() + ${offMs}`);
    await page.reload();
    await row('pump stopped').waitFor();
    await row('pump stopped').hover();
    await row('pump stopped').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Item' });
    await dialog.getByLabel('Message').fill('pump stopped again');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await row('pump stopped').getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Message').inputValue()).toBe('pump stopped again');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.route('**/api/v1/**', (route) => route.abort());
    await row('seen').hover();
    await row('seen').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('1 change not sent yet.').waitFor({ timeout: 20_000 });
    expect(await page.getByText(/from more than a day ago/).count()).toBe(0);
    await page.unroute('**/api/v1/**');
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    await stage.until('it to be sent', async () => (await stage.tasks()).length === 1);
  });
});
