// Sets the chosen theme and density before the first paint, tells the page that somebody is signed in, notes which button of a
// screen that came drawn was pressed before any code was there (app/use-early-press.ts), asks for the first tasks of the inbox
// (lib/early-answer.ts), and fetches the code of a page that can be read without it once the page is seen (prerender.ts). A file of
// its own, since the content security policy allows no inline script.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem('qinbox.theme');
  if (theme === 'light' || theme === 'dark') {
    dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.scheme === theme ? 'all' : 'not all';
  }
  if (localStorage.getItem('qinbox.density') === 'compact') dataset.density = 'compact';
  if (['accessToken', 'refreshToken', 'apiKey'].some((name) => localStorage.getItem(name) !== null))
    dataset.known = '';
  if (location.pathname === '/inbox' && location.search + location.hash === '') {
    const url = '/api/v1/tasks?limit=50&offset=0&include_pinned=true';
    const [token, key] = [localStorage.getItem('accessToken'), localStorage.getItem('apiKey')];
    const headers = { accept: 'application/json' };
    if (token !== null) headers.authorization = `Bearer ${token}`;
    else if (key !== null) headers['x-api-key'] = key;
    const answer = fetch(url, { cache: 'no-store', credentials: 'omit', headers });
    answer.catch(() => undefined);
    globalThis.qinboxEarly = { url, headers, answer };
  }
} catch {
  // Storage is blocked: the system's theme applies.
}

const nameOf = (control) => control.ariaLabel ?? control.textContent.trim();
const within = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

document.addEventListener('click', ({ target }) => {
  const button = within(target, '[data-still=strangers] button');
  if (button !== null) document.documentElement.dataset.pressed = nameOf(button);
});

// Where the screen is replaced between the two ends of a press, no click comes but of a finger.
document.addEventListener('pointerdown', ({ target, button, pointerType }) => {
  const control = within(target, ':is([data-still=strangers], [data-still] header) :is(a, button)');
  if (control !== null && button === 0 && pointerType !== 'touch')
    document.documentElement.dataset.held = nameOf(control);
});
for (const type of ['pointerup', 'pointercancel'])
  document.addEventListener(type, () => delete document.documentElement.dataset.held);

const LONGEST_WAIT_MS = 1000;

function fetchCode() {
  const code = document.getElementById('code');
  if (code === null) return;
  code.remove();
  document.head.append(code.content);
}

// Who is signed in sees nothing of a page that came drawn for strangers: it waits for no first text. The inbox has its first list
// drawn before that, by code of its own (first-paint.tsx).
const isKnown = document.documentElement.dataset.known === '';
const isInbox = isKnown && location.pathname === '/inbox';
document.addEventListener('qinbox:code', fetchCode);

// Once the first text is seen, which may be a frame after the first paint; a page that nobody looks at has none.
if ('PerformanceObserver' in globalThis && !isInbox)
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) fetchCode();
  }).observe({ type: 'paint', buffered: true });
document.addEventListener('DOMContentLoaded', () => {
  if (document.hidden || (isKnown && !isInbox)) fetchCode();
  else setTimeout(fetchCode, LONGEST_WAIT_MS);
});
