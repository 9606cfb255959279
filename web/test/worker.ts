// The real service worker in a browser of the test's own: no browser presses a notification for a test.
import PUSH from '../worker/push.mjs?raw';
import WORKER from '../worker/sw.mjs?raw';

export interface Shown {
  title: string;
  tag?: string;
  body?: string;
  silent?: boolean;
  renotify?: boolean;
  actions?: readonly { action: string; title: string }[];
  data?: { kind?: string; id?: string; path?: string };
}

interface Tab {
  url: string;
  focused?: boolean;
  /** On the screen; as `focused`, where it is left out. */
  visible?: boolean;
  /** What the page answers to a question of the worker; none: it sleeps. */
  answer?: boolean;
}

/**
 * A worker among these tabs. `done` lists the effects, `shown` the notifications that are on the screen,
 * `cacheNames` the caches that are there.
 */
export function startWorker(
  tabs: readonly Tab[] = [],
  agent = 'Chrome/156 AppleWebKit/537',
  cacheNames = new Set<string>(),
) {
  const done: string[] = [];
  const stored: unknown[] = [];
  let shown: (Shown & { close: () => void })[] = [];
  const handlers = new Map<string, (event: object) => void>();
  const note = (what: string) => Promise.resolve(done.push(what));

  const clients = tabs.map(({ url, focused = false, visible = focused, answer }) => ({
    url,
    focused,
    visibilityState: visible ? 'visible' : 'hidden',
    focus: () => note(`focus ${url}`),
    navigate: (path: string) => note(`navigate ${path}`),
    postMessage: (message: object, [port]: [MessagePort]) => {
      done.push(`ask ${url} ${JSON.stringify(message)}`);
      if (answer !== undefined) port.postMessage(answer);
    },
  }));
  const self = {
    addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
    clients: { matchAll: () => Promise.resolve(clients), openWindow: (path: string) => note(`open ${path}`) },
    registration: {
      showNotification: (title: string, options: Omit<Shown, 'title'>) => {
        const notification = {
          title,
          ...options,
          close: () => (shown = shown.filter((each) => each !== notification)),
        };
        shown = [...shown.filter(({ tag }) => tag === undefined || tag !== options.tag), notification];
        return Promise.resolve();
      },
      getNotifications: () => Promise.resolve(shown),
      pushManager: {
        subscribe: (options: object) => note(`subscribe ${JSON.stringify(options)}`),
      },
    },
  };
  const navigator = {
    userAgent: agent,
    setAppBadge: (count: number) => note(`badge ${count}`),
    clearAppBadge: () => note('no badge'),
  };
  const caches = {
    open: (name: string) => {
      cacheNames.add(name);
      return Promise.resolve({
        put: async (_path: string, answer: Response) => stored.push(await answer.json()),
        match: (path: string) => Promise.resolve(new Response(`cached ${path}`)),
      });
    },
    keys: () => Promise.resolve([...cacheNames]),
    delete: (name: string) => Promise.resolve(cacheNames.delete(name)),
  };
  const location = new URL('https://q.example/sw.js');
  // Our own files, as the build joins them and a browser would run them.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('self', 'navigator', 'caches', 'location', `${WORKER}\n${PUSH}`) as (
    ...scope: object[]
  ) => void;
  run(self, navigator, caches, location);

  async function dispatch(type: string, event: object): Promise<void> {
    let work: unknown;
    handlers.get(type)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) });
    await work;
  }

  return {
    done,
    stored,
    shown: () => shown,
    /** The payload as the server sends it: an object, or a text that is none. */
    push: (payload: object | string) => {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      return dispatch('push', { data: { json: () => JSON.parse(text) as unknown, text: () => text } });
    },
    press: (notification: object, action = '') =>
      dispatch('notificationclick', {
        action,
        notification: { close: () => void done.push('close'), ...notification },
      }),
    /** Opens a page that the browser has asked for already: the text that the worker answers with. */
    open: async (path: string, preloadResponse: Promise<Response>) => {
      let answer: Promise<Response> | undefined;
      await dispatch('fetch', {
        request: { url: `https://q.example${path}`, method: 'GET', mode: 'navigate' },
        preloadResponse,
        respondWith: (promise: Promise<Response>) => (answer = promise),
      });
      return (await answer)?.text();
    },
    install: () => dispatch('install', {}),
    activate: () => dispatch('activate', {}),
    changeSubscription: (event: object) => dispatch('pushsubscriptionchange', event),
  };
}
