// `npm run bench -- paint`: from curl's 201 to the card painted in a real Chromium, 50 times. Goal: p95 of at
// most 150 ms.
import { createKey, startProgram, temporaryFolder } from '#test/program/program.ts';
import { hasChromium, launchBrowser, openInbox, WHY_NOT } from '#test/e2e/browser.ts';
import { measurePaints, p95 } from '#test/e2e/push.ts';
import { summarise } from './measure/stats.ts';

const GOAL_MS = 150;
const COUNT = 50;

if (!hasChromium) {
  console.error(`qinbox: ${WHY_NOT}`);
  process.exit(1);
}
const folder = temporaryFolder('paint');
const key = createKey(folder.path);
// First, because it builds the web app that the program is to serve.
const browser = await launchBrowser();
const program = await startProgram({ dataDir: folder.path });
try {
  const page = await openInbox(browser, program, folder.path);
  const delays = await measurePaints(page, program.url, key, COUNT);
  const worst = p95(delays);
  console.log(
    `201 → painted, ${COUNT} times: median ${summarise(delays).median.toFixed(1)} ms, p95 ${worst.toFixed(1)} ms (goal ≤ ${GOAL_MS}: ${worst <= GOAL_MS ? 'met' : 'missed'})`,
  );
  process.exitCode = worst <= GOAL_MS ? 0 : 1;
} finally {
  await browser.close();
  await program.kill();
  folder.remove();
}
