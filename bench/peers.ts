// Qinbox beside the nearest hubs, where their binaries are given: creates, and one message to many sockets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { LIVE_PROTOCOL } from '#core/contract/index.ts';
import { plainEnvironment } from '#test/program/program.ts';
import { creating, startQinbox, withServers, type Server } from './measure/field.ts';
import type { ListenerSettings } from './measure/listeners.ts';
import { anyCore, cpuSeconds, onCores, type Cores, type Target } from './measure/load.ts';
import type { Outcome, Rate, Result, Settings } from './measure/outcome.ts';
import { givenPeers } from './measure/peers.ts';
import { alternate, ratesOf, ratioOf } from './measure/rounds.ts';
import { summarise } from './measure/stats.ts';

const SOCKETS = 1000;
/** Those of the last round may still be closing. */
const ROOM = String(3 * SOCKETS);
const MESSAGES = 300;
const FAN_OUTS = 5;

/** POST /tasks beside a publish of each peer, all of them durable before they are answered. */
export async function peers({ rounds, seconds }: Settings): Promise<Outcome> {
  const given = givenPeers();
  if (given.length === 0) return { results: [], rates: [] };
  return withServers(async (start) => {
    const own = await start(startQinbox());
    const target = creating('Qinbox POST /tasks', own, own.keyOf('bench@example.com'));
    const others: Target[] = [];
    for (const startPeer of given) others.push((await start(startPeer())).creating);
    const done = await alternate([target, ...others], rounds, seconds);
    return {
      results: others.map(({ name }) => ({
        measure: `POST /tasks ÷ ${name}`,
        value: done.ratio(target.name, name),
        unit: '×',
        goal: { atLeast: 1 },
      })),
      rates: ratesOf(
        done,
        others.map(({ name }) => name),
      ),
    };
  });
}

/** Messages that reach 1,000 sockets, each counted; on one core and on all. */
export async function fanOut(): Promise<Outcome> {
  const one = await fanOutOn('one core', onCores);
  const all = await fanOutOn('all cores', anyCore);
  return { results: [...one.results, ...all.results], rates: [...one.rates, ...all.rates] };
}

interface Lane {
  name: string;
  server: Server;
  settings: () => Promise<ListenerSettings>;
  done: Rate[];
}

function fanOutOn(where: string, cores: Cores): Promise<Outcome> {
  return withServers(async (start) => {
    const own = await start(
      startQinbox({
        under: cores.server,
        env: { MAX_SOCKETS_PER_OWNER: ROOM, MAX_CONNECTIONS_PER_ADDRESS: ROOM },
      }),
    );
    const key = own.keyOf('live@example.com');
    const lanes: Lane[] = [{ name: 'Qinbox', server: own, settings: () => listenersOf(own, key), done: [] }];
    for (const startPeer of givenPeers()) {
      const peer = await start(startPeer(cores.server));
      const settings: ListenerSettings = {
        url: `${peer.url}${peer.livePath}`,
        sockets: Array.from({ length: SOCKETS }, () => ({})),
        publish: {
          url: peer.creating.url,
          headers: { 'content-type': 'application/json' },
          body: peer.creating.body ?? '',
        },
        messages: MESSAGES,
      };
      lanes.push({ name: peer.name, server: peer, settings: async () => settings, done: [] });
    }
    for (let round = 0; round < FAN_OUTS; round++)
      for (const lane of round % 2 === 0 ? lanes : lanes.toReversed())
        lane.done.push(await spread(lane, await lane.settings(), cores));

    const [ours, ...others] = lanes as [Lane, ...Lane[]];
    return {
      results: others.map(({ name, done }): Result => ({
        measure: `messages to ${SOCKETS} sockets, ${where}: ÷ ${name}`,
        value: ratioOf(ours.done, done),
        unit: '×',
        goal: { atLeast: 1 },
      })),
      rates: lanes.map(({ name, done }) => ({
        server: `${name}, messages to ${SOCKETS} sockets, ${where}`,
        perSecond: summarise(done.map(({ perSecond }) => perSecond)).median,
        cpuMicroseconds: summarise(done.map(({ cpuMicroseconds }) => cpuMicroseconds)).median,
      })),
    };
  });
}

/** Tickets open sockets without being counted by address; each opens one. */
async function listenersOf(own: Server, key: string): Promise<ListenerSettings> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const sockets: Record<string, string>[] = [];
  for (let count = 0; count < SOCKETS; count++) {
    const answer = await fetch(`${own.url}/api/v1/live/ticket`, { method: 'POST', headers, body: '{}' });
    const { ticket } = (await answer.json()) as { ticket: string };
    sockets.push({ 'sec-websocket-protocol': `${LIVE_PROTOCOL}, ticket.${ticket}` });
  }
  const { url, body = '' } = creating('', own, key);
  return { url: `${own.url}/api/v1/live`, sockets, publish: { url, headers, body }, messages: MESSAGES };
}

async function spread({ name, server }: Lane, settings: ListenerSettings, cores: Cores): Promise<Rate> {
  const script = join(import.meta.dirname, 'measure', 'listeners.ts');
  const [command, ...args] = [...cores.client, process.execPath, script];
  const child = spawn(command, args, { env: plainEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(settings));
  let output = '';
  let before = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (before === 0) before = cpuSeconds(server.pid);
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${name}: the listeners failed`);
  const used = cpuSeconds(server.pid) - before;
  const { perSecond } = JSON.parse(output.split('\n')[1] ?? '{}') as { perSecond: number };
  return { server: name, perSecond, cpuMicroseconds: (used * 1e6) / (MESSAGES * SOCKETS) };
}
