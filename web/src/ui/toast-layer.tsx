// Draws the notices, in a root of its own so that nothing of it is needed before the first one.
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { randomHex } from '../lib/random-id.ts';
import { KeyHint } from './keys.tsx';

/** A short notice at the foot of the page. */
export interface Notice {
  /** A notice with the id of one that is shown replaces it. */
  id?: string;
  text: string;
  detail?: string;
  /** Read out at once. */
  urgent?: boolean;
  timeoutMs?: number;
  action?: { label: string; keys?: string; run: () => void };
  /** After it was closed: by its time, by the person, or by its action. */
  onClose?: () => void;
}

const manager = Toast.createToastManager();
let mounted: Promise<void> | null = null;

function mount(): Promise<void> {
  mounted ??= new Promise((resolve) => {
    const host = document.createElement('div');
    document.body.append(host);
    createRoot(host).render(<Layer onReady={resolve} />);
  });
  return mounted;
}

export async function showNotice({
  id,
  text,
  detail,
  urgent,
  timeoutMs,
  action,
  onClose,
}: Notice): Promise<void> {
  await mount();
  const key = id ?? randomHex(8);
  manager.add({
    id: key,
    title: text,
    description: detail,
    priority: urgent === true ? 'high' : 'low',
    timeout: timeoutMs ?? 5000,
    onClose,
    ...(action === undefined
      ? {}
      : {
          actionProps: {
            children: (
              <>
                {action.label}
                <KeyHint keys={action.keys} />
              </>
            ),
            onClick: () => {
              manager.close(key);
              action.run();
            },
          },
        }),
  });
}

/** Also one that waits to be shown. */
export async function hideNotice(id: string): Promise<void> {
  await mounted;
  manager.close(id);
}

function Layer({ onReady }: { onReady: () => void }) {
  // After all effects of this drawing, among them the provider's own that listens to the manager.
  useEffect(() => {
    const timer = setTimeout(onReady);
    return () => clearTimeout(timer);
  }, [onReady]);
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Viewport
        aria-label="Messages"
        // On a phone it is not shown over the entries of an open menu, and a dialog stands at the foot of the
        // page: then it is at the head, where a tall one leaves it room (dialog.tsx).
        className="pointer-events-none fixed inset-x-0 bottom-[max(1rem,calc(var(--dock,0px)+0.25rem))] z-60 flex flex-col items-center gap-2 px-4 outline-none max-sm:in-[body:has([role=menu])]:invisible max-sm:in-[body:has([data-modal])]:top-4 max-sm:in-[body:has([data-modal])]:bottom-auto"
      >
        <List />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast, index) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['down', 'right']}
      data-notice
      // The key is that of the newest one, which is the first. A phone has room for that one alone.
      className={`pointer-events-auto w-full max-w-md transition-[opacity,transform] duration-200 ease-out data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0 ${index === 0 ? '' : 'max-sm:hidden [&_kbd]:hidden'}`}
    >
      <Toast.Content className="flex items-center gap-2 rounded-md border border-line-1 bg-surface-1 py-1.5 pr-1.5 pl-4 text-ink-1 shadow-2">
        <div className="min-w-0 flex-1 py-1">
          <Toast.Title className="line-clamp-2 text-14 wrap-anywhere" render={<p />} />
          <Toast.Description className="text-13 text-ink-2" />
        </div>
        <Toast.Action className="inline-flex h-9 touch:h-11 shrink-0 items-center gap-2 rounded-sm px-3 text-14 font-semibold text-accent hover:bg-surface-2" />
        <Toast.Close
          aria-label="Dismiss"
          className="inline-flex size-9 touch:size-11 shrink-0 items-center justify-center rounded-sm text-ink-3 hover:bg-surface-2 hover:text-ink-1"
        >
          <X size={16} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
