// Push on this device: the browser's subscription, and the server's record of it. Loaded on demand.
import { unlessGone } from '../api/api-error.ts';
import { api, session } from '../services.ts';
import { accountOf } from '../session/account.ts';
import { readPushEntry, storePushEntry } from './entry.ts';
import { deviceName, pushObstacle } from './support.ts';

/** A worker that has not started by then will not. */
const WORKER_MS = 10_000;
/** The longest for the browser's question; who answers it later presses the button again. */
const QUESTION_MS = 60_000;
/** A push service that has not answered the browser by then is out of reach. */
const SUBSCRIBE_MS = 30_000;
/** A server that has not answered by then finds out by itself. */
const LEAVING_MS = 3000;
/** Where pressed buttons of notifications wait for a page; the worker fills it. */
export const ACTIONS_CACHE = 'qinbox-push-actions';

const WORKER = '/sw.js';
/** What browsers throw where the person's settings allow no worker. */
const REFUSALS = ['SecurityError', 'NotSupportedError', 'InvalidStateError'];

const UNANSWERED =
  'The browser asks whether this address may show notifications, and got no answer. Its question may be behind the sign at the left of the address. Allow them there, and turn push on again.';
const UNREACHABLE =
  'The browser could not reach its push service. Check the network, and that the browser allows push messages, and try again.';
const NOT_STARTED = 'The part of Qinbox that works in the background did not start. Load this page again.';
const REFUSED =
  'The browser does not let Qinbox work in the background. Allow this address to keep cookies and site data, leave private windows, and load this page again.';

/** Why push could not be turned on, in words for the person. */
export class PushError extends Error {
  override readonly name = 'PushError';
}

/** To be called from a click: the browser asks for permission. Rejects with what is in the way. */
export async function turnOnPush(): Promise<void> {
  // First, since a browser asks only at once after a click.
  if ((await within(QUESTION_MS, Notification.requestPermission(), UNANSWERED)) !== 'granted')
    throw new PushError('The browser did not allow notifications from this address.');
  const { push } = await api('GET /push');
  const subscription = await subscribe(push.publicKey);
  try {
    await register(subscription);
  } catch (error) {
    await subscription.unsubscribe().catch(() => false);
    throw error;
  }
}

/** Off at once on this device; rejects when the server could not be told. */
export async function turnOffPush(): Promise<void> {
  const entry = readPushEntry();
  await dropHere();
  if (entry === null || entry.account !== accountOf(session)) return;
  await unlessGone(api('DELETE /push/devices/:id', { params: { id: entry.device } }));
}

/** Before a sign-out: nothing of this account is shown here any more. Never rejects. */
export async function leavePush(): Promise<void> {
  const told = turnOffPush().catch(() => undefined);
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, LEAVING_MS))]);
  if ('caches' in globalThis) await caches.delete(ACTIONS_CACHE).catch(() => false);
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  for (const notification of (await registration?.getNotifications?.()) ?? []) notification.close();
  await setBadge(0);
}

/**
 * At the start of a page: renews what the browser or the server has lost, without a question. What a person
 * has revoked elsewhere, or the browser's settings do not allow any more, is off here, too.
 */
export async function restorePush(): Promise<void> {
  const entry = readPushEntry();
  const account = accountOf(session);
  if (entry === null || account === null) return;
  if (entry.account !== account || pushObstacle() !== null || Notification.permission !== 'granted')
    return dropHere();
  const { push } = await api('GET /push');
  const registration = await workerRegistration();
  const present = await registration.pushManager.getSubscription();
  const isKeyed = present !== null && hasKey(present, push.publicKey);
  const isListed = push.devices.some(({ id }) => id === entry.device);
  if (isKeyed && present.endpoint === entry.endpoint) {
    if (!isListed) await dropHere();
    return;
  }
  await register(await subscribe(push.publicKey));
  const isReplaced = isListed && readPushEntry()?.device !== entry.device;
  if (isReplaced) await unlessGone(api('DELETE /push/devices/:id', { params: { id: entry.device } }));
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await workerRegistration();
  // One that comes late is found by the next attempt.
  return within(SUBSCRIBE_MS, subscription(pushManager, publicKey), UNREACHABLE);
}

async function subscription(pushManager: PushManager, publicKey: string): Promise<PushSubscription> {
  try {
    const present = await pushManager.getSubscription();
    if (present !== null && hasKey(present, publicKey)) return present;
    await present?.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError')
      throw new PushError('The browser did not allow pushes from this address.');
    throw new PushError(UNREACHABLE);
  }
}

/** As `work`, or a {@link PushError} where that takes longer. */
async function within<T>(ms: number, work: Promise<T>, why: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PushError(why)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function register(subscription: PushSubscription): Promise<void> {
  const account = accountOf(session);
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh, auth } = keys;
  if (account === null || endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new PushError('The browser made a subscription that cannot be used.');
  const body = { endpoint, keys: { p256dh, auth }, name: deviceName() };
  const { device } = await api('POST /push/devices', {
    body,
    onlyWhile: () => accountOf(session) === account,
  });
  storePushEntry({ account, device: device.id, endpoint });
}

/** No push reaches this browser any more; the server finds out at the next one. */
async function dropHere(): Promise<void> {
  storePushEntry(null);
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  const subscription = await registration?.pushManager?.getSubscription().catch(() => null);
  await subscription?.unsubscribe().catch(() => false);
}

function workerRegistration(): Promise<ServiceWorkerRegistration> {
  return within(WORKER_MS, activeWorker(), NOT_STARTED);
}

async function activeWorker(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator;
  try {
    const registration = await serviceWorker.getRegistration();
    if (registration?.active) return registration;
    // The page has asked for it at its start, without telling what was in the way.
    if (registration === undefined) await serviceWorker.register(WORKER);
  } catch (error) {
    const isRefused = error instanceof DOMException && REFUSALS.includes(error.name);
    throw new PushError(isRefused ? REFUSED : NOT_STARTED);
  }
  return serviceWorker.ready;
}

function hasKey({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  if (applicationServerKey === null) return false;
  const text = btoa(String.fromCodePoint(...new Uint8Array(applicationServerKey)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey.replaceAll('=', '');
}

/** The number on the app's icon, where the system shows one. */
export async function setBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}
