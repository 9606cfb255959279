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
  const frame = document.querySelector('#root > [data-still] > main');
  if (frame === null || page.tasks.length === 0) return;
  const drawn = document.createElement('div');
  // Laid out where it will be, since a text is measured; replaced within the same frame.
  frame.after(drawn);
  try {
    draw(<FirstList page={page} onChoose={() => undefined} onSnoozed={() => undefined} />, drawn);
    frame.replaceWith(...drawn.childNodes);
    document.documentElement.dataset['listed'] = '';
  } finally {
    drawn.remove();
  }
}

/** After the frame that shows it; a page that nobody looks at has none. */
function fetchRest(): void {
  const event = new Event('qinbox:code');
  if (document.hidden) document.dispatchEvent(event);
  else requestAnimationFrame(() => setTimeout(() => document.dispatchEvent(event)));
}

void drawFirstList()
  .catch(() => undefined)
  .finally(fetchRest);
