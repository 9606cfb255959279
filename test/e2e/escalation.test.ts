// Escalation in a real browser: made by keyboard, done for a task that nobody acknowledges and not for one
// that somebody does, and the digest, which survives a reload.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { startReceiver, type Receiver } from '#test/helpers/receivers.ts';
import { createKey, startProgram, temporaryFolder, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { smallOn, violationsOn } from './accessibility.ts';
import { hasChromium, launchBrowser, openInbox, WHY_NOT } from './browser.ts';
import { apiClient } from './push.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe('escalation among the settings', () => {
  const folder = temporaryFolder('escalation');
  let browser: Browser;
  let program: Program;
  let page: Page;
  let key: string;
  /** In the places of two channels of Slack. */
  let atOnce: Receiver;
  let later: Receiver;

  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchBrowser();
    key = createKey(folder.path);
    const env = { OUTGOING_ALLOW: '127.0.0.1', WEBHOOK_HTTP: 'true' };
    program = await startProgram({ dataDir: folder.path, env });
    page = await openInbox(browser, program, folder.path, { reducedMotion: 'reduce' });
    [atOnce, later] = await Promise.all([startReceiver(200), startReceiver(200)]);
  });
  beforeEach(({ skip }) => skip(!hasChromium, WHY_NOT));
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    await atOnce?.close();
    await later?.close();
    folder.remove();
  });

  const { call } = apiClient(() => ({ url: program.url, key }));
  const create = async (content: string) =>
    (await call('POST', '/tasks', { content, priority: 'high' }))['task'] as Task;
  const textsAt = ({ received }: Receiver) =>
    received.map(({ body }) => (JSON.parse(body) as { text: string }).text.split('\n', 1)[0]);

  /** Tabs on until the field with this label, or the button with this text, has the focus. */
  async function tabTo(name: string): Promise<void> {
    await waitFor(`the focus on ${name}`, async () => {
      await page.keyboard.press('Tab');
      return page.evaluate<boolean>(
        `((node) => (node.labels?.[0] ?? node).innerText.trim() === ${JSON.stringify(name)})(document.activeElement)`,
      );
    });
  }

  test('is made by keyboard, refused in place, and done for what nobody acknowledges', async () => {
    await page.goto(`${program.url}/admin/escalation`);
    await page.getByRole('region', { name: 'A good first one' }).waitFor();
    await tabTo('Make my own');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New escalation' });
    await dialog.waitFor();
    await tabTo('Name');
    await page.keyboard.type('Production alerts');
    for (const [minutes, url] of [
      ['0', 'http://10.0.0.1/in'],
      ['1', later.url],
    ] as const) {
      if (minutes === '1') {
        await tabTo('Add step');
        await page.keyboard.press('Enter');
      } else await tabTo('Minutes');
      await page.keyboard.press('Control+a');
      await page.keyboard.type(minutes);
      await tabTo('Then');
      await page.keyboard.type('Slack');
      await tabTo('Address');
      await page.keyboard.type(url);
    }
    await page.keyboard.press('Enter');
    expect(await dialog.getByRole('alert').textContent()).toMatch(
      /^Must be an address of the public internet/,
    );
    // The focus is in the field that was refused, or comes there.
    await dialog.getByLabel('Address', { exact: true }).first().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(atOnce.url);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    expect(await steps.allInnerTexts()).toEqual([
      expect.stringMatching(/^Slack to 127\.0\.0\.1.*\/\S+ at once$/),
      expect.stringMatching(/^Slack to 127\.0\.0\.1.*\/\S+ after 1 min$/),
    ]);

    const seen = await create('somebody looks at it');
    await call('POST', '/tasks/acknowledge', { ids: [seen.id] });
    const left = await create('nobody looks at it');
    await page.getByRole('button', { name: 'What came of it: Production alerts' }).click();
    const runs = page.getByRole('list', { name: 'What came of Production alerts' }).getByRole('listitem');
    const run = (status: string, task: Task, step: number) =>
      runs
        .filter({ hasText: task.content })
        .filter({ hasText: `Step ${step}` })
        .filter({ hasText: status });
    await run('Done', left, 1).getByText('The message was taken.').waitFor();
    expect(textsAt(atOnce)).toContain('*nobody looks at it*');
    // It was due after that of the other task, a minute after its task came.
    await later.count(1, 2 * 60_000);
    await run('Done', left, 2).waitFor();
    expect(textsAt(later)).toEqual(['*nobody looks at it*']);
    expect(await run('Done', seen, 2).count()).toBe(0);
  });

  test('is tested at once, its address not shown any more', async () => {
    const before = atOnce.received.length;
    await page.getByRole('button', { name: 'Actions for Production alerts' }).click();
    await page.getByRole('menuitem', { name: 'Test every step' }).click();
    await atOnce.count(before + 1);
    await later.count(2);
    await page.getByText('Test', { exact: true }).nth(1).waitFor();
    await page.getByRole('button', { name: 'Actions for Production alerts' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Production alerts' });
    expect(await dialog.getByText('127.0.0.1/…hook').count()).toBe(2);
    expect(await dialog.innerHTML()).not.toContain(String(atOnce.port));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('has a digest that is saved as it is changed, and survives a reload', async () => {
    const digest = page.getByRole('region', { name: 'Digest' });
    await digest.getByRole('checkbox', { name: 'Tell me once a day what expired unseen' }).check();
    await digest.getByLabel('At', { exact: true }).fill('06:45');
    await page.keyboard.press('Enter');
    await digest.getByLabel('Time zone').selectOption('Pacific/Apia');
    await digest.getByRole('checkbox', { name: 'A push to my devices' }).check();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await digest.getByLabel('At', { exact: true }).waitFor();
    expect(await digest.getByLabel('At', { exact: true }).inputValue()).toBe('06:45');
    expect(await digest.getByLabel('Time zone').inputValue()).toBe('Pacific/Apia');
    for (const way of ['A task in my inbox', 'A push to my devices'])
      expect(await digest.getByRole('checkbox', { name: way }).isChecked()).toBe(true);
  });

  test.each(['light', 'dark'] as const)(
    'has nothing wrong that a machine can see, %s',
    async (colorScheme) => {
      const shown = await openInbox(browser, program, folder.path, { colorScheme, reducedMotion: 'reduce' });
      await shown.goto(`${program.url}/admin/escalation`);
      await shown.getByLabel('Time zone').waitFor();
      await shown.getByRole('button', { name: 'What came of it: Production alerts' }).click();
      await shown.getByRole('list', { name: 'What came of Production alerts' }).waitFor();
      expect(await violationsOn(shown)).toEqual([]);
      await shown.getByRole('button', { name: 'Actions for Production alerts' }).click();
      await shown.getByRole('menuitem', { name: 'Edit' }).click();
      await shown.getByRole('button', { name: 'Replace' }).first().waitFor();
      expect(await violationsOn(shown)).toEqual([]);
      await shown.context().close();
    },
  );

  test('can be used by a finger', async () => {
    const phone = await openInbox(browser, program, folder.path, PHONE);
    await phone.goto(`${program.url}/admin/escalation`);
    await phone.getByRole('button', { name: 'What came of it: Production alerts' }).tap();
    await phone.getByRole('list', { name: 'What came of Production alerts' }).waitFor();
    expect(await smallOn(phone)).toEqual([]);
    await phone.getByRole('button', { name: 'Actions for Production alerts' }).tap();
    await phone.getByRole('menuitem', { name: 'Edit' }).tap();
    await phone.getByRole('button', { name: 'Replace' }).first().waitFor();
    expect(await smallOn(phone)).toEqual([]);
    expect(
      await phone.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
  });
});
