// The inbox in the terminal: brings the tasks, the live socket, the keys and the screen together.
import type { LiveMessage } from '#core/contract/index.ts';
import { followLive } from '../client/live.ts';
import type { Login } from '../client/login-file.ts';
import { fetchQueue } from '../client/queue.ts';
import { createChanges } from './changes.ts';
import { createControls } from './controls.ts';
import { draw } from './draw.ts';
import { filtersOf } from './search.ts';
import { applyMessage, changeRows, createState, type ScreenState } from './state.ts';
import { openSurface } from './surface.ts';
import { createWork } from './work.ts';

const TICK_MS = 1000;
/** Messages that come together are drawn together: each drawing takes longer than to take a message in. */
const DRAW_TOGETHER_MS = 16;
/** Live messages come one by one where many tasks change: the list is fetched again after the last. */
const FETCH_AGAIN_MS = 300;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs until somebody quits or a signal ends it; the exit code. */
export async function runInbox(login: Login): Promise<number> {
  const state = createState(login.url);
  const ending = new AbortController();
  const loading = createLoading(state, login, ending.signal);
  // What is wrong with address or key is said on the shell's own screen.
  await loading.load();
  let exitCode = 0;
  const end = (signal: keyof typeof SIGNALS): void => {
    exitCode = SIGNALS[signal];
    ending.abort();
  };
  for (const signal of Object.keys(SIGNALS)) process.on(signal, end);
  const surface = openSurface();
  ending.signal.addEventListener('abort', () => {
    // At once: a shell that ends a stopped job continues it, and it must not take the terminal back then.
    surface.close();
    // What is still being sent does not hold up who presses Ctrl-C.
    for (const signal of Object.keys(SIGNALS)) process.off(signal, end);
  });
  const redraw = (): void => surface.show(draw(state, surface.size(), Date.now()));
  const timer = setInterval(redraw, TICK_MS);
  let drawing: NodeJS.Timeout | undefined;
  const redrawSoon = (): void => {
    drawing ??= setTimeout(() => {
      drawing = undefined;
      redraw();
    }, DRAW_TOGETHER_MS);
  };
  try {
    const { load } = loading;
    const work = createWork(state, load, redraw, ending.signal);
    const changes = createChanges(state, login);
    const quit = () => ending.abort();
    surface.listen({ ...createControls({ state, work, changes, load, redraw, surface, quit }), redraw });
    redraw();
    const message = (text: string) => {
      loading.message(JSON.parse(text) as LiveMessage, redraw);
      redrawSoon();
    };
    const lost = (waitMs: number) => {
      state.connection = { againAt: Date.now() + waitMs };
      redraw();
    };
    await followLive(login, { message, lost }, ending.signal);
    if (exitCode === 0) await work.finish();
  } finally {
    clearInterval(timer);
    clearTimeout(drawing);
    loading.stop();
    ending.abort();
  }
  return exitCode;
}

/** Fetches the list, and keeps it true to the live messages. */
function createLoading(state: ScreenState, login: Login, ending: AbortSignal) {
  let latest = 0;
  /** What came while the list was on its way, which it may be older than. */
  let meanwhile: LiveMessage[] | null = null;
  let again: NodeJS.Timeout | undefined;

  async function load(): Promise<void> {
    const turn = ++latest;
    const missed: LiveMessage[] = [];
    meanwhile = missed;
    try {
      const { tasks, total } = await fetchQueue(login, filtersOf(state.search), undefined, ending);
      if (turn !== latest) return;
      changeRows(state, () => {
        state.tasks = new Map(tasks.map((task) => [task.id, task]));
        state.total = total;
      });
    } finally {
      if (turn === latest) {
        meanwhile = null;
        for (const message of missed) takeIn(message, () => undefined);
      }
    }
  }

  function reload(loaded: () => void): void {
    load()
      .catch((error: unknown) => {
        state.notice = error instanceof Error ? error.message : String(error);
      })
      .finally(loaded);
  }

  function takeIn(message: LiveMessage, loaded: () => void): void {
    if (!('task' in message)) return;
    const isPart = state.tasks.size < state.total;
    if (state.search === '') applyMessage(state, message, Date.now());
    // Only the server knows what a search finds, and of a part of the queue what makes it whole again.
    if (state.search === '' && !isPart) return;
    clearTimeout(again);
    again = setTimeout(() => reload(loaded), FETCH_AGAIN_MS);
  }

  return {
    load,
    message(message: LiveMessage, loaded: () => void): void {
      if (message.type === 'hello') {
        // What was refused meanwhile says nothing any more.
        if (state.connection !== 'connecting') state.notice = null;
        state.connection = 'live';
      }
      // Of what happened before this connection there is no message.
      if (!('task' in message)) reload(loaded);
      else if (meanwhile === null) takeIn(message, loaded);
      else meanwhile.push(message);
    },
    stop: () => clearTimeout(again),
  };
}
