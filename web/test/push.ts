// Push as the API answers it, in memory, and a browser that can get pushes.
import { vi } from 'vitest';
import type { PushDevice, PushRules } from '#core/contract/index.ts';
import type { Call, Reply } from './call.ts';

/** 65 bytes, as a VAPID key has. */
export const SERVER_KEY = keyOf(7);

export const USUAL_RULES: PushRules = {
  priorities: ['high'],
  intakes: null,
  tags: null,
  withhold: false,
  quiet: null,
  doNotDisturbUntil: null,
};

export function aPushDevice(fields: Partial<PushDevice> = {}): PushDevice {
  return {
    id: 'push_1',
    name: 'Firefox on Android',
    createdAt: '2026-11-20T08:05:00.000Z',
    lastUsedAt: null,
    ...fields,
  };
}

export class FakePush {
  publicKey = SERVER_KEY;
  devices: PushDevice[] = [];
  rules: PushRules = USUAL_RULES;
  readonly #endpoints = new Map<unknown, string>();

  answer({ method, path, body }: Call): Reply {
    const [, , kind, id, action] = path.split('/');
    if (kind === undefined)
      return ok({ push: { publicKey: this.publicKey, devices: [...this.devices], rules: this.rules } });
    if (kind === 'rules') {
      this.rules = body as unknown as PushRules;
      return ok({ rules: this.rules });
    }
    if (method === 'POST' && action === 'test') return { status: 202, body: { success: true } };
    if (method === 'DELETE') {
      this.devices = this.devices.filter((device) => device.id !== id);
      return ok({});
    }
    const known = this.devices.find((device) => device.id === this.#endpoints.get(body['endpoint']));
    const device =
      known ?? aPushDevice({ id: `push_${this.#endpoints.size + 10}`, name: String(body['name']) });
    if (known === undefined) this.devices.push(device);
    this.#endpoints.set(body['endpoint'], device.id);
    return { status: 201, body: { success: true, device } };
  }
}

function ok(body: object): Reply {
  return { status: 200, body: { success: true, ...body } };
}

function keyOf(byte: number): string {
  const bytes = String.fromCodePoint(...Array.from({ length: 65 }, () => byte));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

interface Subscription {
  endpoint: string;
  options: { applicationServerKey: ArrayBuffer };
  toJSON: () => object;
  unsubscribe: () => Promise<boolean>;
}

interface BrowserOptions {
  permission?: NotificationPermission;
  /** What the person answers when asked. */
  answer?: NotificationPermission;
  /** The push service cannot be reached. */
  broken?: boolean;
}

/** Gives this page a browser with push, until the end of the test. */
export function stubPushBrowser({
  permission = 'default',
  answer = 'granted',
  broken = false,
}: BrowserOptions = {}) {
  let made = 0;
  let subscription: Subscription | null = null;
  const events = new EventTarget();
  const closed: string[] = [];
  /** On the screen. */
  let shown: { data: object; close: () => void }[] = [];

  function subscribe({ applicationServerKey }: { applicationServerKey: string }): Promise<Subscription> {
    if (broken) return Promise.reject(new DOMException('Registration failed', 'AbortError'));
    const endpoint = `https://push.example/${++made}`;
    const bytes = Uint8Array.from(
      atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')),
      (each) => each.codePointAt(0) ?? 0,
    );
    subscription = {
      endpoint,
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: `p256dh ${made}`, auth: `auth ${made}` } }),
      unsubscribe: () => {
        subscription = null;
        return Promise.resolve(true);
      },
    };
    return Promise.resolve(subscription);
  }

  const registration = {
    active: {},
    pushManager: { subscribe, getSubscription: () => Promise.resolve(subscription) },
    getNotifications: () => Promise.resolve(shown),
  };
  const notification = Object.assign(() => undefined, { permission, requestPermission: () => ask() });
  const ask = vi.fn<() => Promise<NotificationPermission>>(() => {
    if (notification.permission === 'default') notification.permission = answer;
    return Promise.resolve(notification.permission);
  });
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', () => undefined);
  vi.stubGlobal('Notification', notification);
  const serviceWorker = Object.assign(events, {
    ready: Promise.resolve(registration),
    getRegistration: () => Promise.resolve(registration),
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });

  return {
    ask,
    closed,
    /** As the service worker shows a task. */
    show: (...ids: string[]) => {
      for (const id of ids) {
        const notification = {
          data: { kind: 'task', id },
          close: () => {
            closed.push(id);
            shown = shown.filter((each) => each !== notification);
          },
        };
        shown = [...shown, notification];
      }
    },
    endpoint: () => subscription?.endpoint ?? null,
    /** As the browser does when it cleans up. */
    lose: () => {
      subscription = null;
    },
    subscribe: (key: string) => subscribe({ applicationServerKey: key }),
    /** What a page answers to the service worker. */
    message: (data: object) =>
      new Promise<unknown>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', (event) => {
          port1.close();
          resolve(event.data);
        });
        port1.start();
        events.dispatchEvent(new MessageEvent('message', { data, ports: [port2] }));
      }),
  };
}

/** Undoes what {@link stubPushBrowser} has set on the navigator. */
export function removePushBrowser(): void {
  Reflect.deleteProperty(navigator, 'serviceWorker');
}
