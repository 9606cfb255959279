// How long a receiver waits for its messages, while tasks are made at an even pace.
import { startReceiver, type Answer, type Receiver } from '#test/helpers/receivers.ts';
import { waitFor } from '#test/program/wait.ts';
import type { Call } from './webhooks-out.ts';

const EVERY_MS = 20;

/** From the time of each of so many new tasks to its message at `quick`, in milliseconds, the least first. */
export async function latencies(call: Call, quick: Receiver, many: number): Promise<number[]> {
  const from = quick.received.length;
  for (let n = 0; n < many; n++) {
    const next = performance.now() + EVERY_MS;
    await call('POST', '/tasks', { content: `paced ${n}` });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  await waitFor('the messages', () => quick.received.length >= from + many);
  return quick.received
    .slice(from)
    .map(({ at, body }) => at - Date.parse((JSON.parse(body) as { timestamp: string }).timestamp))
    .toSorted((a, b) => a - b);
}

/** Adds so many webhooks whose receivers answer like that. */
export async function addReceivers(call: Call, name: string, many: number, answer: Answer = 204) {
  const receivers = await Promise.all(Array.from({ length: many }, () => startReceiver(answer)));
  const ids: string[] = [];
  for (const [n, { url }] of receivers.entries()) {
    const added = await call('POST', '/webhooks', {
      name: `${name} ${n}`,
      url,
      events: ['task.created'],
    });
    ids.push((added['webhook'] as { id: string }).id);
  }
  return {
    receivers,
    remove: async (): Promise<void> => {
      for (const id of ids) await call('DELETE', `/webhooks/${id}`);
      for (const receiver of receivers) await receiver.close();
    },
  };
}
