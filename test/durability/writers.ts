// Many writers at once over real HTTP, each with one task under way, that notice when the server dies and go
// on when it is back: what was not answered is sent again under the same Idempotency-Key, as a careful sender
// would.
import { Agent, request } from 'node:http';

export interface Writers {
  /** Markers answered 201 so far. */
  readonly answered: ReadonlySet<string>;
  /** Markers sent and not answered yet: they may be stored or not. */
  readonly open: ReadonlySet<string>;
  /**
   * Writes until `enough` says so or the server is gone. Throws on an answer that is neither 201 nor "try
   * again".
   */
  write(port: number, enough: () => boolean): Promise<void>;
}

interface Answer {
  status: number;
  body: string;
}

/** Sends one request; null when the connection ended before the whole answer was there. */
export function send(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, method, path: `/api/v1${path}`, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', () => resolve(null));
        response.once('close', () =>
          resolve(
            response.complete
              ? { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }
              : null,
          ),
        );
      },
    );
    sent.once('error', () => resolve(null));
    sent.end(body);
  });
}

/** `count` writers that share a key. Every task has a content of its own, its marker. */
export function createWriters(key: string, count: number): Writers {
  const answered = new Set<string>();
  const open = new Set<string>();
  let next = 0;

  async function writeOne(agent: Agent, port: number, marker: string): Promise<boolean> {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': marker };
    const answer = await send(agent, port, 'POST', '/tasks', headers, JSON.stringify({ content: marker }));
    if (answer === null) return false;
    if (answer.status === 409 || answer.status === 503) return true;
    if (answer.status !== 201) throw new Error(`${marker} was answered ${answer.status}: ${answer.body}`);
    answered.add(marker);
    open.delete(marker);
    return true;
  }

  async function writer(agent: Agent, port: number, again: string[], enough: () => boolean): Promise<void> {
    for (;;) {
      const marker = again.pop() ?? (enough() ? undefined : `marker-${++next}-end`);
      if (marker === undefined) return;
      open.add(marker);
      if (!(await writeOne(agent, port, marker))) return;
      if (open.has(marker)) again.push(marker);
    }
  }

  return {
    answered,
    open,
    async write(port, enough) {
      const agent = new Agent({ keepAlive: true, maxSockets: count });
      const again = [...open];
      try {
        await Promise.all(Array.from({ length: count }, () => writer(agent, port, again, enough)));
      } finally {
        agent.destroy();
      }
    },
  };
}

/** How often each content is in the queue, by listing all of it. */
export async function countContents(port: number, key: string): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<string, number>();
  try {
    for (let offset = 0, more = true; more;) {
      const answer = await send(agent, port, 'GET', `/tasks?limit=1000&offset=${offset}`, {
        'x-api-key': key,
      });
      if (answer?.status !== 200) throw new Error(`the list was answered ${answer?.status}: ${answer?.body}`);
      const { tasks } = JSON.parse(answer.body) as { tasks: { content: string }[] };
      for (const { content } of tasks) counts.set(content, (counts.get(content) ?? 0) + 1);
      offset += tasks.length;
      more = tasks.length > 0;
    }
  } finally {
    agent.destroy();
  }
  return counts;
}
