// Short notices at the foot of the page, read out politely, with at most one action.
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { Keys } from './keys.tsx';

export interface ToastData {
  /** The key that does what the action does. */
  keys?: string;
}

/** Adds, changes and closes toasts from anywhere. */
export const toasts = Toast.createToastManager<ToastData>();

/** Mounted once, by the application. */
export function ToastLayer() {
  return (
    <Toast.Provider toastManager={toasts} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="pointer-events-none fixed inset-x-0 bottom-4 z-60 flex flex-col items-center gap-2 px-4 outline-none sm:bottom-6">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager<ToastData>();
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['down', 'right']}
      className="pointer-events-auto w-full max-w-md transition-[opacity,transform] duration-200 ease-out data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-2 rounded-m border border-line-1 bg-surface-1 py-1.5 pr-1.5 pl-4 text-ink-1 shadow-2">
        <div className="min-w-0 flex-1 py-1">
          <Toast.Title className="truncate text-14" render={<p />} />
          <Toast.Description className="text-13 text-ink-2" />
        </div>
        <Toast.Action className="inline-flex h-9 shrink-0 items-center gap-2 rounded-s px-3 text-14 font-semibold text-accent hover:bg-surface-2">
          {toast.actionProps?.children}
          {toast.data?.keys === undefined ? null : (
            <span className="touch:hidden">
              <Keys keys={toast.data.keys} />
            </span>
          )}
        </Toast.Action>
        <Toast.Close
          aria-label="Dismiss"
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-s text-ink-3 hover:bg-surface-2 hover:text-ink-1"
        >
          <X size={16} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
