// One worker thread that answers questions in order. The first starts it; only a waiting question keeps the
// process running. A thread that fails rejects the waiting questions; the next one starts another.
import { getPriority, setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

export interface WorkerThread<Question, Answer> {
  /** Rejects with the error that the thread threw, or that ended it. */
  ask(question: Question): Promise<Answer>;
  /** Rejects the waiting questions and all later ones. May be called twice. */
  close(): Promise<void>;
}

export interface WorkerThreadOptions {
  /** Calls {@link answerOnThread}. */
  script: URL;
  name: string;
  maxMemoryMb: number;
  workerData?: unknown;
  /** Ends a thread that nobody has asked for so long; without it, it stays. */
  idleMs?: number;
}

interface Request<Question> {
  id: number;
  question: Question;
}

type Reply<Answer> =
  | { id: number; answer: Answer }
  | { id: number; error: { message: string; code: unknown } };

export function createWorkerThread<Question, Answer>({
  script,
  name,
  maxMemoryMb,
  workerData,
  idleMs,
}: WorkerThreadOptions): WorkerThread<Question, Answer> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let thread: Worker | undefined;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(script, {
      name,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    const lose = (error: unknown): void => {
      if (started !== thread) return;
      thread = undefined;
      rejectAll(error);
    };
    started.on('message', (reply: Reply<Answer>) => {
      const question = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) rest(started);
      if ('answer' in reply) question?.resolve(reply.answer);
      else question?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
    });
    started.on('error', lose);
    started.on('exit', () => lose(new Error(`The thread "${name}" ended.`)));
    return started;
  }

  function rest(idling: Worker): void {
    idling.unref();
    if (idleMs === undefined) return;
    idle ??= setTimeout(endIdle, idleMs).unref();
    idle.refresh();
  }

  // A question does not stop the timer, its answer starts it anew: cheaper for a thread that is asked often.
  function endIdle(): void {
    if (waiting.size === 0) void end();
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    idle = undefined;
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  function rejectAll(error: unknown): void {
    const rejected = [...waiting.values()];
    waiting.clear();
    for (const { reject } of rejected) reject(error);
  }

  return {
    ask(question) {
      if (closed) return Promise.reject(new Error(`The thread "${name}" is closed.`));
      thread ??= start();
      thread.ref();
      const id = ++lastId;
      const answer = Promise.withResolvers<Answer>();
      waiting.set(id, answer);
      thread.postMessage({ id, question } satisfies Request<Question>, []);
      return answer.promise;
    },
    async close() {
      closed = true;
      rejectAll(new Error(`The thread "${name}" is closed.`));
      await end();
    },
  };
}

/** In the thread: answers each question, at once or later. */
export function answerOnThread(answer: (question: never) => unknown): void {
  const replyTo = async ({ id, question }: Request<never>): Promise<Reply<unknown>> => {
    try {
      return { id, answer: await answer(question) };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return { id, error: { message, code } };
    }
  };
  const post = (reply: Reply<unknown>) => parentPort?.postMessage(reply, []);
  parentPort?.on('message', (request: Request<never>) => void replyTo(request).then(post));
}

const LOWEST_PRIORITY = 19;

/** In the thread: lets the event loop run first where both want the same processor. */
export function lowerPriority(steps: number): void {
  // On Linux each thread has a priority of its own (sched(7)); elsewhere this would change the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(LOWEST_PRIORITY, getPriority(0) + steps));
  } catch {
    // Where a sandbox forbids it, the thread competes as an equal.
  }
}
