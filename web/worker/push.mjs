// Shows what the server pushes: one notification for a task, closed again when the task was dealt with
// elsewhere. What is pressed on a notification is done by an open page, which can undo it; else by the worker
// with the notification's own token; else by the page that opens.

const INBOX = '/inbox';
const ACTIONS = 'qinbox-push-actions';
const ICONS = { icon: '/icons/icon-192.png', badge: '/icons/badge-96.png' };
/** A page that the system has put to sleep does not answer. */
const ANSWER_MS = 2000;
/** A browser lets a press open a page for some seconds only. */
const SERVER_MS = 4000;
/** Pushes that tell of what an inbox in view shows itself. */
const IN_LIST = ['task', 'summary'];

self.addEventListener('push', (event) => event.waitUntil(receive(event.data)));
self.addEventListener('notificationclick', (event) => event.waitUntil(press(event)));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(resubscribe(event)));

async function receive(data) {
  const message = readMessage(data);
  const { kind, notification, app_badge: badge } = message;
  await Promise.all([setBadge(badge), kind === 'close' ? closeOver(message) : show(notification)]);
}

// A push without a notification makes browsers show one of their own, which says nothing.
function readMessage(data) {
  try {
    const message = data.json();
    if (message.kind === 'close' || message.notification?.title) return message;
  } catch {
    // Not of this version of the server.
  }
  return { notification: { title: 'Qinbox', body: 'There is something new in the inbox.' } };
}

async function show({ title, body = '', tag = '', lang = '', silent = false, actions = [], navigate, data }) {
  if (IN_LIST.includes(data?.kind) && (await isInView())) return;
  // What is pushed again, but for a repeat, is heard again.
  const renotify = tag !== '' && !silent;
  const options = { body, tag, lang, silent, renotify, ...ICONS, data: { ...data, path: pathOf(navigate) } };
  const buttons = actions.map(({ action, title }) => ({ action, title }));
  await self.registration.showNotification(title, { ...options, actions: buttons });
}

/** Somebody looks at the list: the row that comes says it. WebKit demands a notification all the same. */
async function isInView() {
  if (/AppleWebKit/.test(navigator.userAgent) && !/Chrome\//.test(navigator.userAgent)) return false;
  const seen = (await tabs()).filter(
    ({ focused, visibilityState }) => focused && visibilityState === 'visible',
  );
  return askAny(seen, { kind: 'view' });
}

async function closeOver({ ids = [], summary = false }) {
  for (const notification of await self.registration.getNotifications()) {
    const { kind, id } = notification.data ?? {};
    if (kind === 'task' ? ids.includes(id) : summary && kind === 'summary') notification.close();
  }
}

async function setBadge(count) {
  if (!Number.isInteger(count) || !('setAppBadge' in navigator)) return;
  await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

async function press({ notification, action }) {
  notification.close();
  const { id, token, path = INBOX } = notification.data ?? {};
  if (id === undefined || (action !== 'acknowledge' && action !== 'pin')) return showPage(path);
  const cache = await caches.open(ACTIONS);
  const entry = `/${action}/${encodeURIComponent(id)}`;
  await cache.put(entry, new Response(JSON.stringify({ action, id, at: Date.now() })));
  if (await askAny(await tabs(), { kind: 'actions' })) return;
  if (await act(action, token)) await cache.delete(entry);
  else await self.clients.openWindow(INBOX);
}

/** Resolves with whether the server has done it. */
async function act(action, token) {
  if (token === undefined) return false;
  try {
    const answer = await fetch('/api/v1/push/actions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, token }),
      signal: AbortSignal.timeout(SERVER_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

async function showPage(path) {
  const tab = (await tabs()).find(({ url }) => new URL(url).pathname === INBOX);
  if (tab === undefined) return self.clients.openWindow(path);
  await tab.focus().catch(() => undefined);
  if (path !== INBOX && !(await ask(tab, { kind: 'open', path })))
    await tab.navigate(path).catch(() => self.clients.openWindow(path));
}

/** Of this origin, whatever address the server has for itself. */
function pathOf(address = INBOX) {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}

// The server learns the new address from the next page, which has the session.
async function resubscribe({ oldSubscription, newSubscription }) {
  if (newSubscription === null && oldSubscription !== null)
    await self.registration.pushManager.subscribe(oldSubscription.options).catch(() => undefined);
  for (const tab of await tabs()) await ask(tab, { kind: 'subscription' });
}

function tabs() {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true });
}

/** Resolves with whether one of them says yes, as soon as it does. */
function askAny(asked, message) {
  const answers = asked.map(async (tab) => {
    if (!(await ask(tab, message))) throw new Error('no');
  });
  return Promise.any(answers).then(
    () => true,
    () => false,
  );
}

/** Resolves with whether the page says yes. */
function ask(tab, message) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(false), ANSWER_MS);
    port1.addEventListener('message', ({ data }) => {
      clearTimeout(timer);
      port1.close();
      resolve(data === true);
    });
    port1.start();
    tab.postMessage(message, [port2]);
  });
}
