// `node bench/hostile.ts`: what hostile bodies and templates are answered, how long that takes, how long the event loop stands still
// meanwhile, seen from outside by asking /health all the time, and how long its thread was on a processor, which other programs do not
// change. Goals: an answer within 100 ms, no standstill over 50 ms; one that the thread did not work through is the machine's.
// Exit 0: met; 1: a goal was missed by the median of the rounds, or an answer was wrong; 2: the machine was too restless to judge.
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { runCommand, startProgram, temporaryFolder } from '#test/program/program.ts';
import { busyMs } from './measure/busy.ts';
import { deliver, makeIntake, signIn } from './measure/intakes.ts';
import { number, printTable } from './measure/report.ts';
import { summarise } from './measure/stats.ts';

const GOAL_ANSWER_MS = 100;
const GOAL_STANDSTILL_MS = 50;
/** When /health takes so long with nothing else to do, the delay is the machine's. */
const FLOOR_MS = 10;
const MIB = 1024 * 1024;

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Math.max(1, Number(options.rounds) || 0);

interface Hostile {
  name: string;
  body: Buffer;
  headers?: Record<string, string>;
  mapping?: object;
  expected: number;
}

const json = (name: string, text: string, expected: number): Hostile => ({
  name,
  body: Buffer.from(text),
  expected,
});
const typed = (name: string, type: string, text: string | Buffer, expected: number): Hostile => ({
  name,
  body: Buffer.from(text),
  headers: { 'content-type': type },
  expected,
});
const packed = (name: string, encoding: string, body: Buffer, expected: number): Hostile => ({
  name,
  body,
  headers: { 'content-encoding': encoding },
  expected,
});
const fields = (count: number, of: (at: number) => string) =>
  `{${Array.from({ length: count }, (_, at) => of(at)).join(',')}}`;
const template = (name: string, content: string): Hostile => ({
  name: `template: ${name}`,
  body: Buffer.from(
    JSON.stringify({
      list: Array.from({ length: 5000 }, (_, at) => at),
      text: 'x'.repeat(500_000),
      title: 'x',
    }),
  ),
  mapping: { content },
  expected: 202,
});
const loops = (inner: string) => '{% for i in list %}'.repeat(3) + inner + '{% endfor %}'.repeat(3);

const hostile: readonly Hostile[] = [
  json('1 MiB of nested lists', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2), 400),
  json('1 MiB of open lists', '['.repeat(MIB), 400),
  json(
    '100,000 keys',
    fields(100_000, (at) => `"${at.toString(36)}":1`),
    413,
  ),
  json(
    '29,000 different keys',
    fields(29_000, (at) => `"key${at}":"value ${at}"`),
    202,
  ),
  json(
    '14,000 objects of other shapes',
    `[${Array.from({ length: 14_000 }, (_, at) => `{"k${at}":{"a":1}}`).join(',')}]`,
    202,
  ),
  json(
    'repeated keys',
    fields(29_000, () => '"a":1'),
    202,
  ),
  json('__proto__', '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}', 202),
  json('1 MiB of one text', JSON.stringify({ message: 'secret= '.repeat(MIB / 9) }), 202),
  json('200,000 numbers', `[${'0,'.repeat(199_000)}0]`, 202),
  json('broken at the end', fields(29_000, (at) => `"k${at}":"v"`).slice(0, -1), 400),
  typed('invalid UTF-8', 'application/json', Buffer.alloc(MIB, 0xff), 400),
  typed('1 MiB of text', 'text/plain', 'a b '.repeat(MIB / 4), 202),
  typed('1 MiB of HTML', 'text/html', '<a <b '.repeat(MIB / 6), 202),
  typed('a quarter million form fields', 'application/x-www-form-urlencoded', 'a=1&'.repeat(MIB / 4), 413),
  typed('nested XML', 'application/xml', '<a>'.repeat(MIB / 3), 413),
  typed('an entity bomb', 'application/xml', '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>', 400),
  typed('1 MiB of XML', 'application/xml', `<a>${`<b c="d">${'e'.repeat(400)}</b>`.repeat(2400)}</a>`, 413),
  typed('500 KiB of XML', 'application/xml', `<a>${`<b c="d">${'e'.repeat(400)}</b>`.repeat(1200)}</a>`, 202),
  typed('200,000 parts', 'multipart/form-data; boundary=b', '--b\r\n'.repeat(MIB / 5), 413),
  packed('a gzip bomb of 256 MiB', 'gzip', gzipSync(Buffer.alloc(256 * MIB)), 413),
  packed(
    'a brotli bomb',
    'br',
    brotliCompressSync(Buffer.alloc(64 * MIB), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
    413,
  ),
  packed('an unknown encoding', 'zstd', Buffer.from('{}'), 415),
  template('a long range', '{% for i in (1..1000000000) %}{% endfor %}'),
  template('loops in loops', loops('')),
  template('loops with output', loops('{{ text }}')),
  template(
    'a text that doubles',
    `{% assign a = text %}${'{% assign a = a | append: a %}'.repeat(30)}{{ a }}`,
  ),
  template('sorting over and over', loops('{{ list | sort | reverse | join }}')),
  template('much JSON', loops('{{ payload | json }}')),
];

/** Asks /health without pause; tells how long the slowest answer took since it was asked last. */
function watchLoop(url: string): { slowest(): number; stop(): Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let slowest = 0;
  let isOn = true;
  const asking = (async () => {
    while (isOn) {
      const askedAt = performance.now();
      await deliver(agent, `${url}/health`, { method: 'GET' });
      slowest = Math.max(slowest, performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  return {
    slowest() {
      const seen = slowest;
      slowest = 0;
      return seen;
    },
    async stop() {
      isOn = false;
      await asking;
      agent.destroy();
    },
  };
}

const folder = temporaryFolder('bench-hostile');
const program = await startProgram({ dataDir: folder.path, env: { NODE_ENV: 'production' } });
const agent = new Agent({ keepAlive: true });
const watch = watchLoop(program.url);
let isWrong = false;
let isMissed = false;
let floorMs = 0;
try {
  const link = runCommand(folder.path, ['signin-link', '--email', 'hostile@example.com', '--json']);
  const accessToken = await signIn(program.url, link);
  const rows: string[][] = [];
  const idle: number[] = [];
  for (const { name, body, headers = {}, mapping, expected } of hostile) {
    const { url } = await makeIntake(program.url, accessToken, {
      verification: { scheme: 'none' },
      ...(mapping === undefined ? {} : { mapping }),
    });
    const answers: number[] = [];
    const standstills: number[] = [];
    const works: number[] = [];
    let status = 0;
    for (let round = 0; round < rounds; round++) {
      watch.slowest();
      await new Promise((resolve) => setTimeout(resolve, 100));
      idle.push(watch.slowest());
      const busyBefore = busyMs(program.pid);
      const sentAt = performance.now();
      status = await deliver(agent, url, {
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      answers.push(performance.now() - sentAt);
      works.push(busyMs(program.pid) - busyBefore);
      await new Promise((resolve) => setTimeout(resolve, 20));
      standstills.push(watch.slowest());
    }
    const [answer, standstill, work] = [answers, standstills, works].map(
      (times) => summarise(times).median,
    ) as [number, number, number];
    const faults = [
      status === expected ? '' : `must be ${expected}`,
      Math.min(answer, 2 * work) > GOAL_ANSWER_MS ? 'slow' : '',
      Math.min(standstill, work) > GOAL_STANDSTILL_MS ? 'stands still' : '',
    ].filter((fault) => fault !== '');
    if (status !== expected) isWrong = true;
    if (faults.length > 0) isMissed = true;
    rows.push([
      name,
      `${number(body.length / 1024)} KiB`,
      String(status),
      `${number(answer)} ms`,
      `${number(Math.max(...answers))} ms`,
      `${number(standstill)} ms`,
      `${number(Math.max(...standstills))} ms`,
      `${number(work)} ms`,
      faults.join(', '),
    ]);
  }
  floorMs = summarise(idle).q3;
  printTable(['body', 'size', 'status', 'answer', 'slowest', 'standstill', 'longest', 'worked', ''], rows);
} finally {
  await watch.stop();
  agent.destroy();
  await program.kill();
  folder.remove();
}
const isRestless = isMissed && floorMs > FLOOR_MS;
console.log(
  `With nothing to do, /health took up to ${number(floorMs)} ms${isRestless ? ': too restless to judge' : ''}.`,
);
process.exitCode = isWrong || (isMissed && !isRestless) ? 1 : isMissed ? 2 : 0;
