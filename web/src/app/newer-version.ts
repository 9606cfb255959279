// Tells a page that was open while the server was updated that loading it again brings the newer version.
import { subscribeLive } from '../lib/services.ts';
import { notify } from '../ui/toast.tsx';

const PAGE = '/index.html';
/** The first code of every page, named by its content and that of all other code. */
const START = /\/assets\/start-[\w-]+\.js/;

/** Looks each time that the live connection is there again: only then can the server be another one. */
export function watchForNewer(): void {
  const own = START.exec(document.querySelector<HTMLScriptElement>('script[src*="/start-"]')?.src ?? '')?.[0];
  let told = own;
  subscribeLive(({ type }) => {
    if (type === 'connected' && own !== undefined) void look();
  });

  async function look(): Promise<void> {
    const newest = await newestStart();
    if (newest === undefined || newest === told) return;
    told = newest;
    // The server may have gone back to the version of this page.
    if (newest === own) return;
    document.addEventListener('click', loadAnew, { capture: true });
    await notify({
      id: 'newer-version',
      text: 'A newer version is here',
      // Until it is dismissed.
      timeoutMs: 0,
      action: { label: 'Reload', run: () => location.reload() },
    });
  }
}

/**
 * The server has the code of other pages no more, and where there is no worker (plain http) nobody has it: a
 * link to one is followed as of another site.
 */
function loadAnew(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.origin === location.origin && link.pathname !== location.pathname) event.stopPropagation();
}

async function newestStart(): Promise<string | undefined> {
  try {
    const answer = await fetch(PAGE, { cache: 'no-store', credentials: 'omit' });
    return START.exec(answer.ok ? await answer.text() : '')?.[0];
  } catch {
    // The next connection looks again.
    return undefined;
  }
}
