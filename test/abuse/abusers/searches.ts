// Eight callers who search a full queue of their own, one search after the other with a tenth of a second in
// between: for words that are nowhere, for what is everywhere, and for what is too short for most indexes.
import { Agent } from 'node:http';
import { ask, isOver, pause, ready, report, settings } from './abuser.ts';

const CALLERS = 8;
const PAUSE_MS = 100;
const WORDS = ['qzx', 'nowhere to be found', 'zq', 'e', 'task', 'q'.repeat(200), '%', 'lorem ipsum zq', '"'];

const agent = new Agent({ keepAlive: true });
const { url, keys } = settings;
let turn = 0;

async function search(): Promise<void> {
  while (!isOver()) {
    const word = encodeURIComponent(WORDS[turn % WORDS.length] ?? '');
    const key = keys[turn++ % keys.length] ?? '';
    await ask(agent, 'GET', `${url}/api/v1/tasks?limit=20&q=${word}`, { 'x-api-key': key });
    await pause(PAUSE_MS);
  }
}

ready();
await Promise.all(Array.from({ length: CALLERS }, search));
report();
