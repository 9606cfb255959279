// /inbox: today's tasks or, at ?view=acknowledged, those acknowledged in the last ten minutes. The first
// list is drawn before the code that acts on it has come.
import { lazy, Suspense, useState, type ComponentType } from 'react';
import { useSearchParams } from 'wouter';
import { FirstInbox } from './first-inbox.tsx';

const AcknowledgedPage = lazy(() => import('./acknowledged-page.tsx'));

let Ready: ComponentType | undefined;
let isFirstDone: () => void;
const first = new Promise<void>((resolve) => {
  isFirstDone = resolve;
});
/** A list that takes longer is not waited for. */
const LONGEST_WAIT_MS = 1000;

const LaterInbox = lazy(async () => {
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);
  return { default: await loadInbox() };
});

/** All of its code: what is drawn after that is the whole inbox at once. */
export async function loadInbox(): Promise<ComponentType> {
  const { default: InboxScreen, whenReady } = await import('./inbox-screen.tsx');
  await whenReady();
  Ready = InboxScreen;
  return InboxScreen;
}

export default function InboxPage() {
  const [params] = useSearchParams();
  // Chosen once: another component type would start the screen anew.
  const [Inbox] = useState(() => Ready ?? LaterInbox);
  if (params.get('view') !== 'acknowledged')
    return (
      <Suspense fallback={<FirstInbox plain={params.toString() === ''} onDone={isFirstDone} />}>
        <Inbox />
      </Suspense>
    );
  return (
    <Suspense fallback={<main className="flex-1" aria-busy="true" />}>
      <AcknowledgedPage />
    </Suspense>
  );
}
