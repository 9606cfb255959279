// Caches the app itself, so that it opens without a network. Answers of the API are never cached.
// Pages come from the network whenever there is one. A new version is cached beside the old one and takes
// over when no tab uses that any more. The build appends push.mjs.

// The build fills this in.
const SHELL = { version: 'none', paths: [] };

const PREFIX = 'qinbox-shell-';
const CACHE = PREFIX + SHELL.version;
const PAGE = '/index.html';

/** Pages of their own, which the app cannot stand in for. */
const isDocs = (path) => path === '/docs' || path.startsWith('/docs/');
const isNamedByContent = (path) => path.startsWith('/assets/');

self.addEventListener('install', (event) => event.waitUntil(cacheShell()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') event.respondWith(openPage(event));
  else if (SHELL.paths.includes(pathname)) event.respondWith(openPart(request, pathname));
});

async function cacheShell() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    SHELL.paths.map(async (path) => {
      const same = isNamedByContent(path) ? await caches.match(path) : undefined;
      if (same !== undefined) return cache.put(path, same);
      return cache.add(new Request(path, { cache: isNamedByContent(path) ? 'default' : 'reload' }));
    }),
  );
  // A tab may stay open over many versions. The oldest cache is of the version in use, which has removed
  // those before it; what waited until now will never be in use.
  await removeOthers((await shells()).slice(0, 1));
}

async function takeOver() {
  await removeOthers([]);
  await self.registration.navigationPreload?.enable();
}

/** The names of the caches of all versions, in the order in which they were made. */
async function shells() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** Of other versions than this one and those that stay. */
async function removeOthers(staying) {
  const over = (await shells()).filter((name) => name !== CACHE && !staying.includes(name));
  await Promise.all(over.map((name) => caches.delete(name)));
}

async function openPage(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    // Firefox hands over a preload that failed as an answer; given on, it is the browser's own error page.
    if (answer.type === 'error') throw new TypeError('There is no network');
    return answer;
  } catch (error) {
    const { pathname } = new URL(event.request.url);
    return orElse(isDocs(pathname) ? undefined : await cached(PAGE), error);
  }
}

async function openPart(request, path) {
  if (isNamedByContent(path)) return (await cached(path)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    return orElse(await cached(path), error);
  }
}

async function cached(path) {
  const cache = await caches.open(CACHE);
  return cache.match(path);
}

function orElse(answer, error) {
  if (answer === undefined) throw error;
  return answer;
}
