// The page of every unknown address.
import { Link } from 'wouter';
import { buttonClass } from '../ui/button.tsx';
import { usePageTitle } from '../lib/page-title.ts';

export default function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <main className="mx-auto flex max-w-md flex-1 flex-col items-center justify-center gap-3 px-6 py-24 text-center">
      <p className="nums font-mono text-14 text-ink-3">404</p>
      <h1 className="text-28 font-semibold">Page not found</h1>
      <p className="text-16 text-ink-2">
        There is nothing at this address. Perhaps it is more than 24 hours old.
      </p>
      <Link href="/" className={buttonClass('primary', 'mt-3')}>
        Return to Inbox
      </Link>
    </main>
  );
}
