// `node bench/mail-read.ts`: what reading a mail costs, in microseconds of the processor, on the calling thread and through the
// threads of the reader, and how long each hostile mail takes. Figures of one machine are good for comparing with one another.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hostileMails } from '#adapters/ingestion/smtp/hostile-mails.ts';
import { Work } from '#adapters/ingestion/smtp/mime/work.ts';
import { readMail } from '#adapters/ingestion/smtp/read.ts';
import { createReader } from '#adapters/ingestion/smtp/reader.ts';
import { replayKeyOf, toReading } from '#adapters/ingestion/smtp/to-reading.ts';

const { values: options } = parseArgs({ options: { mails: { type: 'string', default: '5000' } } });
const mails = Math.max(1, Number(options.mails) || 0);
const ROUNDS = 5;
/** As many as a server with 20 kept connections has at hand. */
const AT_ONCE = 20;

const HEADER = [
  'Received: from mail.example.com (mail.example.com [192.0.2.1])',
  '\tby mx.example.net with ESMTPS id 4F1A2B3C;',
  '\tSat, 21 Nov 2026 10:00:00 +0100',
  'Message-ID: <20261121100000.1234567@mail.example.com>',
  'Date: Sat, 21 Nov 2026 10:00:00 +0100',
  'From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.com>',
  'To: inbox@example.net',
  'Subject: Disk almost full on db1 #ops !high',
  'MIME-Version: 1.0',
];
const LINES =
  'The disk of db1 is 93 % full: https://example.com/db1\r\nPlease have a look at it before noon.\r\n\r\n';

function mail(type: readonly string[], body: string): Buffer {
  return Buffer.from(`${[...HEADER, ...type].join('\r\n')}\r\n\r\n${body}`);
}

const text = LINES.repeat(15);
const html = `<html><body><p>${LINES.repeat(7)}</p><table><tr><td>cpu</td><td>93 %</td></tr></table></body></html>`;
const kinds: readonly [string, Buffer][] = [
  ['plain text, 2 kB', mail(['Content-Type: text/plain; charset=utf-8'], text)],
  ['HTML, 1.5 kB', mail(['Content-Type: text/html; charset=utf-8'], html)],
  [
    'both, quoted-printable, 2 kB',
    mail(
      ['Content-Type: multipart/alternative; boundary=b'],
      `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${LINES.repeat(7)}--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--\r\n`,
    ),
  ],
  [
    'a PDF of 1 MiB',
    mail(
      ['Content-Type: multipart/mixed; boundary=b'],
      `--b\r\n\r\n${LINES}--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'A'.repeat(76)}\r\n`.repeat(17_000)}--b--\r\n`,
    ),
  ],
];

interface Cost {
  /** Of all threads. */
  all: number;
  /** Of the calling thread. */
  here: number;
}

async function cpuMicros(count: number, work: () => Promise<void>): Promise<Cost> {
  const [all, here] = [process.cpuUsage(), process.threadCpuUsage()];
  await work();
  const [allSpent, hereSpent] = [process.cpuUsage(all), process.threadCpuUsage(here)];
  return {
    all: (allSpent.user + allSpent.system) / count,
    here: (hereSpent.user + hereSpent.system) / count,
  };
}

function readHere(raw: Buffer): void {
  const read = readMail(raw);
  if (read.kind !== 'mail') throw new Error(read.reason);
  toReading(read.mail);
  replayKeyOf(read.mail, raw);
}

/** The median of some rounds; the first, while code is still being compiled, is left out. */
async function median(round: () => Promise<Cost>): Promise<Cost> {
  const costs: Cost[] = [];
  for (let index = 0; index <= ROUNDS; index++) costs.push(await round());
  return costs.slice(1).toSorted((a, b) => a.all - b.all)[ROUNDS >> 1] ?? { all: 0, here: 0 };
}

console.log('Processor time of one mail, in microseconds, all in (reading, task, replay key)\n');
console.log(
  `${'mail'.padEnd(32)}${'here'.padStart(10)}${'in a thread'.padStart(14)}${'of which here'.padStart(16)}`,
);
const threaded = createReader();
for (const [name, raw] of kinds) {
  const count = raw.length > 100_000 ? Math.ceil(mails / 50) : mails;
  const here = await median(() =>
    cpuMicros(count, async () => {
      for (let index = 0; index < count; index++) readHere(raw);
      await nextTurn();
    }),
  );
  const there = await median(() =>
    cpuMicros(count, async () => {
      let left = count;
      const sender = async () => {
        while (left-- > 0) {
          const read = await threaded.read(raw);
          if (read.kind === 'mail') replayKeyOf(read.mail, raw);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
    }),
  );
  console.log(
    `${name.padEnd(32)}${here.all.toFixed(0).padStart(10)}${there.all.toFixed(0).padStart(14)}${there.here.toFixed(0).padStart(16)}`,
  );
}
await threaded.close();

console.log('\nHostile mails, each read once\n');
console.log(`${'mail'.padEnd(42)}${'KiB'.padStart(8)}${'ms'.padStart(8)}${'steps'.padStart(10)}`);
for (const { name, raw } of hostileMails(10)) {
  const work = new Work();
  const start = process.hrtime.bigint();
  const read = readMail(raw, {}, work);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const said = read.kind === 'refused' ? `  refused: ${read.reason}` : '';
  console.log(
    `${name.padEnd(42)}${(raw.length / 1024).toFixed(0).padStart(8)}${ms.toFixed(0).padStart(8)}${String(work.steps).padStart(10)}${said}`,
  );
}
