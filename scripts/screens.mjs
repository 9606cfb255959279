// `npm run screens`: takes the pictures of every screen in docs/screens, on the real program with a day of tasks in it.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '#api/app.ts';
import { compose } from '#api/compose.ts';
import { presentUser } from '#api/present.ts';
import { readConfig } from '#core/config.ts';
import { hasChromium, launchBrowser, waitUntilLive, WHY_NOT } from '#test/e2e/browser.ts';
import { startProgram, temporaryFolder } from '#test/program/program.ts';
import { reducePng } from './parts/png.mjs';
import { fail, root } from './parts/project.mjs';
import { sampleQueue } from './parts/sample-queue.mjs';

const MINUTE_MS = 60_000;
const DEVICES = {
  phone: { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
const THEMES = ['light', 'dark'];
/** The port that a new install has, so that the commands on the screens are the ones people type. */
const PORT = 3000;
const folder = join(root, 'docs', 'screens');

/** What each picture shows: who looks at which address, and what is done there before. */
const SCREENS = {
  landing: { path: '/' },
  inbox: { path: '/inbox', as: 'mira@example.com', ready: rows },
  'inbox-filtered': { path: '/inbox?priority=high', as: 'mira@example.com', ready: rows },
  'inbox-empty': { path: '/inbox', as: 'done@example.com', ready: heading('Queue is empty') },
  'inbox-first-visit': { path: '/inbox', as: 'new@example.com', ready: heading('Queue is empty') },
  'inbox-demo': { path: '/inbox', ready: rows },
  'add-dialog': { path: '/inbox', as: 'mira@example.com', ready: rows, act: add },
  shortcuts: { path: '/inbox', as: 'mira@example.com', ready: rows, act: (page) => page.keyboard.press('?') },
  'sign-in': { path: '/api-docs', act: signIn },
  settings: { path: '/admin', as: 'mira@example.com' },
  'api-docs': { path: '/api-docs' },
  'not-found': { path: '/no/such/page' },
};

async function rows(page) {
  await page.locator('article[data-task]').first().waitFor();
}
function heading(name) {
  return (page) => page.getByRole('heading', { name }).waitFor();
}
async function add(page) {
  await page.getByRole('button', { name: 'Add Item' }).first().click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Order new filters for the air handling unit');
  await page.getByRole('textbox', { name: 'Tags' }).fill('building, before noon');
}
async function signIn(page) {
  await page.locator('header').getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Google Sign-In is not configured').waitFor();
}

/** Lets a day pass in a data folder; resolves with the stored session of every person on the pictures. */
async function fillDay(dataDir) {
  const until = Date.now();
  let now = until;
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const parts = await compose(config, { clock: { now: () => now }, background: false });
  const app = await buildApp(parts);
  const people = {};
  for (const email of ['mira@example.com', 'done@example.com', 'new@example.com']) {
    const { user } = await parts.accounts.ensureUser(email, { name: 'Mira', isAdmin: true });
    const { user: signedIn, tokens } = await parts.accounts.startSession(user);
    people[email] = { ...tokens, user: JSON.stringify(presentUser(signedIn)) };
  }
  const owner = (await parts.storage.accounts.findUserByEmail('mira@example.com')).id;
  const { key } = await parts.apiKeys.create(owner, { name: 'everything that reports' });

  async function call(method, path, body) {
    const answer = await app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { 'x-api-key': key },
      payload: body,
    });
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.body}`);
    return answer.json();
  }
  const moments = sampleQueue.flatMap(({ age, repeats = [], ...rest }) =>
    [age, ...repeats].map((each) => ({ at: until - each * MINUTE_MS, ...rest })),
  );
  for (const { at, pin = false, ...task } of moments.toSorted((a, b) => a.at - b.at)) {
    now = at;
    const made = await call('POST', '/tasks', task);
    if (pin) await call('PATCH', `/tasks/${made.task.id}/pin`, { pinned: true });
  }
  await app.close();
  return people;
}

async function takeAll(browser, url, people) {
  for (const [size, device] of Object.entries(DEVICES))
    for (const theme of THEMES)
      for (const [name, { path, as, ready, act }] of Object.entries(SCREENS)) {
        const context = await browser.newContext({ ...device, colorScheme: theme, reducedMotion: 'reduce' });
        const entries = { ...people[as], ...(as === 'done@example.com' ? { 'qinbox.used': 'yes' } : {}) };
        await context.addInitScript(`for (const [name, value] of ${JSON.stringify(Object.entries(entries))})
          localStorage.setItem(name, value);`);
        const page = await context.newPage();
        await page.goto(url + path);
        await page.getByRole('heading').first().waitFor();
        if (as !== undefined) await waitUntilLive(page);
        await ready?.(page);
        await act?.(page);
        await page.waitForLoadState('networkidle');
        const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        writeFileSync(join(folder, `${name}-${size}-${theme}.png`), reducePng(picture));
        await context.close();
      }
}

if (!hasChromium) fail(WHY_NOT);
mkdirSync(folder, { recursive: true });
for (const old of readdirSync(folder)) if (old.endsWith('.png')) rmSync(join(folder, old));
const data = temporaryFolder('screens');
const people = await fillDay(data.path);
const program = await startProgram({ dataDir: data.path, port: Number(process.env.PORT ?? PORT) });
const browser = await launchBrowser();
try {
  await takeAll(browser, program.url.replace('127.0.0.1', 'localhost'), people);
  copyFileSync(join(folder, 'inbox-desktop-light.png'), join(folder, 'inbox.png'));
} finally {
  await browser.close();
  await program.stop();
  data.remove();
}
