// Short notices at the foot of the page, with at most one action; their code is loaded on demand.
import { onDemandCode } from './on-demand.tsx';
import type { Notice } from './toast-layer.tsx';

const layer = () => import('./toast-layer.tsx');
onDemandCode(layer);

export async function notify(notice: Notice): Promise<void> {
  try {
    await (await layer()).showNotice(notice);
  } catch {
    // The chunk could not be loaded: a notice is not worth an error of its own.
  }
}

export async function dismissNotice(id: string): Promise<void> {
  try {
    await (await layer()).hideNotice(id);
  } catch {
    // As above.
  }
}
