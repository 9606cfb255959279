// Runs first in the page of the inbox (prerender.ts): draws the first list into the frame that came with the
// page, without react-dom. The rest of the code is fetched then, and takes the place of what is drawn
// (main.tsx). Whatever this cannot do, React does.
import { ownerOf, fetchFirstPage } from './features/inbox/data/first-page.ts';
import { noteEarlyPresses } from './features/inbox/screen/early-actions.ts';
import { FirstList } from './features/inbox/screen/first-list.tsx';
import { draw } from './lib/draw.ts';
import { session } from './lib/services.ts';

async function drawFirstList(): Promise<void> {
  const state = session.getState();
  if (state.method === 'none' || location.search + location.hash !== '') return;
  noteEarlyPresses();
  // A session that must be renewed, or has ended, is for the app: it says so.
  const answer = await globalThis.qinboxEarly?.answer;
  if (answer?.ok !== true) return;
  const page = await fetchFirstPage(ownerOf(state));
  if (page.tasks.length === 0) return;
  const drawn = document.createElement('div');
  const list = <FirstList page={page} onChoose={() => undefined} onSnoozed={() => undefined} />;
  try {
    // Laid out where it will be, since a text is measured; replaced within the same frame.
    await draw(list, drawn, () => frame()?.after(drawn));
    if (!drawn.isConnected) return;
    frame()?.replaceWith(...drawn.childNodes);
    document.documentElement.dataset['listed'] = '';
  } finally {
    drawn.remove();
  }
}

/** The screen's, as it came with the page. Null as soon as the app has drawn. */
function frame(): Element | null {
  return document.querySelector('#root > [data-still] > main');
}

/** A list that is not the largest there is to see is not reported. */
const LONGEST_WAIT_MS = 150;

/**
 * Once the list is seen, so that nothing that it needs shares the line. A page that nobody looks at has no
 * frame.
 */
function fetchRest(): void {
  // Fetched once, however often it is asked for.
  const fetchCode = () => void document.dispatchEvent(new Event('qinbox:code'));
  if (document.hidden || document.documentElement.dataset['listed'] === undefined) return fetchCode();
  const drawnAt = performance.now();
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().every(({ startTime }) => startTime < drawnAt)) return;
    observer.disconnect();
    fetchCode();
  });
  observer.observe({ type: 'largest-contentful-paint', buffered: true });
  requestAnimationFrame(() => setTimeout(fetchCode, LONGEST_WAIT_MS));
}

void drawFirstList()
  .catch(() => undefined)
  .finally(fetchRest);
