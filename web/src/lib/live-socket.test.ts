import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeSocket } from '../../test/fake-socket.ts';
import { ApiError } from './api/api-error.ts';
import { LiveSocket } from './live-socket.ts';

let live: LiveSocket;
let ticket: () => Promise<string>;
let connected: number;
let signedOut: number;
let heard: string[];

beforeEach(() => {
  vi.useFakeTimers();
  connected = 0;
  signedOut = 0;
  heard = [];
  ticket = () => Promise.resolve('T1');
  live = new LiveSocket({
    url: () => 'ws://localhost/api/v1/live',
    ticket: () => ticket(),
    WebSocket: FakeSocket,
    onMessage: (message) => heard.push(message.type),
    onConnect: () => void (connected += 1),
    onSignedOut: () => void (signedOut += 1),
    random: () => 1,
  });
});
afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

const finish = () => vi.advanceTimersByTimeAsync(0);

async function connect() {
  live.start();
  await finish();
  FakeSocket.latest.hello();
}

describe('the live socket', () => {
  test('offers its protocol and the ticket, never in the address', async () => {
    await connect();
    expect(FakeSocket.latest.url).toBe('ws://localhost/api/v1/live');
    expect(FakeSocket.latest.protocols).toEqual(['qinbox.v1', 'ticket.T1']);
  });

  test('is live after the hello, and says so once per connection so that the list is fetched', async () => {
    live.start();
    await finish();
    expect(live.getState()).toBe('connecting');
    FakeSocket.latest.hello();
    expect(live.getState()).toBe('live');
    expect(connected).toBe(1);
  });

  test.each([1006, 1012, 1013])('comes back after close code %d with a new ticket', async (code) => {
    await connect();
    ticket = () => Promise.resolve('T2');
    FakeSocket.latest.drop(code);
    expect(live.getState()).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.latest.protocols).toEqual(['qinbox.v1', 'ticket.T2']);
    FakeSocket.latest.hello();
    expect([live.getState(), connected]).toEqual(['live', 2]);
  });

  test('waits twice as long after each failure, 30 s at most, and says Polling from the third', async () => {
    const times: number[] = [];
    ticket = () => {
      times.push(Date.now());
      return Promise.reject(new Error('no'));
    };
    live.start();
    await vi.advanceTimersByTimeAsync(120_000);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(live.getState()).toBe('polling');
  });

  test('says what keeps it from connecting: a refusal of the server, or a proxy that passes no sockets', async () => {
    ticket = () => Promise.reject(new ApiError('Not from http://nas.local.', 'FORBIDDEN', 403));
    live.start();
    await vi.advanceTimersByTimeAsync(2000);
    expect([live.getState(), live.getObstacle()]).toEqual(['polling', 'Not from http://nas.local.']);
    ticket = () => Promise.resolve('T1');
    await vi.advanceTimersByTimeAsync(4000);
    FakeSocket.latest.drop();
    expect(live.getObstacle()).toMatch(/proxy .* WebSockets/);
    ticket = () => Promise.reject(new ApiError('', 'NETWORK_ERROR', 0));
    await vi.advanceTimersByTimeAsync(8000);
    expect(live.getObstacle()).toBeNull();
    ticket = () => Promise.resolve('T2');
    live.networkBack();
    await finish();
    FakeSocket.latest.hello();
    expect([live.getState(), live.getObstacle()]).toEqual(['live', null]);
  });

  test('spreads its waits, so that many clients do not come back at once', async () => {
    const delays = new Set<number>();
    for (const random of [0, 0.5, 1]) {
      const times: number[] = [];
      const socket = new LiveSocket({
        url: () => '',
        ticket: () => {
          times.push(Date.now());
          return Promise.reject(new Error('no'));
        },
        WebSocket: FakeSocket,
        onMessage: () => undefined,
        onConnect: () => undefined,
        onSignedOut: () => undefined,
        random: () => random,
      });
      socket.start();
      await vi.advanceTimersByTimeAsync(600);
      socket.stop();
      delays.add((times[1] ?? 0) - (times[0] ?? 0));
    }
    expect([...delays]).toEqual([250, 375, 500]);
  });

  test('tries at once when the network is back, even if it looks alive', async () => {
    await connect();
    const before = FakeSocket.latest;
    live.networkBack();
    await finish();
    expect(before.closed).toBe(true);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test('tries at once when the tab is seen again, and keeps a fresh connection', async () => {
    await connect();
    live.tabHidden();
    await vi.advanceTimersByTimeAsync(5000);
    live.tabVisible();
    await finish();
    expect(FakeSocket.all).toHaveLength(1);
    live.tabHidden();
    await vi.advanceTimersByTimeAsync(60_000);
    live.tabVisible();
    await finish();
    expect(FakeSocket.all).toHaveLength(2);
  });

  test('closed with 4401 says signed out and does not try again', async () => {
    await connect();
    FakeSocket.latest.drop(4401);
    await vi.advanceTimersByTimeAsync(120_000);
    expect([signedOut, live.getState(), FakeSocket.all.length]).toEqual([1, 'off', 1]);
  });

  test('gives up on a connection that never says hello', async () => {
    live.start();
    await finish();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(FakeSocket.latest.closed).toBe(true);
    expect(live.getState()).toBe('reconnecting');
  });

  test('hears nothing more from a socket that it has left, nor nonsense from one that it holds', async () => {
    await connect();
    const left = FakeSocket.latest;
    left.dispatchEvent(new MessageEvent('message', { data: 'not json' }));
    live.stop();
    left.say({ type: 'queue.reset' });
    left.drop(4401);
    expect(heard).toEqual(['hello']);
    expect(signedOut).toBe(0);
  });
});
