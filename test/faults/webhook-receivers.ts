// Receivers that take, lie, die and hang, and what each was told.
import { startReceiver, type Answer, type Receiver } from '#test/helpers/receivers.ts';

/** What one of them was told. */
export interface Told {
  name: string;
  messages: number;
  /** Task and version of what never came. */
  lost: string[];
  /** Messages that came more than once. */
  doubled: number;
  /** Tasks of which something came after something later. */
  outOfOrder: string[];
}

interface NamedReceiver {
  name: string;
  url: string;
  received(): number;
  distinct(): number;
  outcome(ids: readonly string[], versions: readonly number[]): Told;
}

/** Says 200 and then does not stop talking, or stops in the middle. */
const lies: Answer = ({ task: { version } }, response) => {
  response.writeHead(200, { 'content-length': version % 2 === 0 ? 1_000_000_000 : 100 });
  if (version % 2 === 1) return response.write('x'.repeat(10), () => response.destroy());
  return response.write('x'.repeat(100_000));
};

/** At its first attempt, one message in fifty gets no answer, or none that helps. */
function dying(): Answer {
  const seen = new Set<string>();
  return ({ id }, response) => {
    const nth = seen.has(id) ? 0 : seen.add(id).size;
    if (nth % 100 === 50) return response.destroy();
    return response.writeHead(nth > 0 && nth % 100 === 0 ? 500 : 204).end();
  };
}

function named(name: string, receiver: Receiver): NamedReceiver {
  return {
    name,
    url: receiver.url,
    received: () => receiver.received.length,
    distinct: () => new Set(receiver.received.map(({ id }) => id)).size,
    outcome(ids, versions) {
      const latest = new Map<string, number>();
      const seen = new Set<string>();
      const outOfOrder = new Set<string>();
      for (const { task } of receiver.received) {
        if (task.version < (latest.get(task.id) ?? 0)) outOfOrder.add(task.id);
        latest.set(task.id, Math.max(task.version, latest.get(task.id) ?? 0));
        seen.add(`${task.id} ${task.version}`);
      }
      const wanted = ids.flatMap((id) => versions.map((version) => `${id} ${version}`));
      return {
        name,
        messages: receiver.received.length,
        lost: wanted.filter((one) => !seen.has(one)),
        doubled: receiver.received.length - seen.size,
        outOfOrder: [...outOfOrder],
      };
    },
  };
}

/** One of each. What hangs answers once it is released. */
export async function createReceiversAt() {
  let released = false;
  const waiting = new Set<() => void>();
  const hangs: Answer = (_, response) => {
    const answer = () => response.writeHead(204).end();
    if (released) answer();
    else waiting.add(answer);
  };
  const receivers = await Promise.all([204, lies, dying(), hangs].map((answer) => startReceiver(answer)));
  const names = ['takes', 'lies', 'dies', 'hangs'];
  return {
    all: receivers.map((receiver, index) => named(names[index] ?? '', receiver)),
    release() {
      released = true;
      for (const answer of waiting) answer();
    },
    close: async () => void (await Promise.all(receivers.map((receiver) => receiver.close()))),
  };
}
