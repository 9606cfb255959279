// /inbox: today's tasks or, at ?view=acknowledged, those acknowledged in the last ten minutes.
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'wouter';
import InboxScreen from './inbox-screen.tsx';

const AcknowledgedPage = lazy(() => import('./acknowledged-page.tsx'));

export default function InboxPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'acknowledged') return <InboxScreen />;
  return (
    <Suspense fallback={<main className="flex-1" aria-busy="true" />}>
      <AcknowledgedPage />
    </Suspense>
  );
}
