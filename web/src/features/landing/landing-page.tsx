// The front door. Whoever is signed in goes straight through to the inbox.
import { Link, Redirect } from 'wouter';
import { usePageTitle } from '../../lib/page-title.ts';
import { useSession } from '../../lib/session/use-session.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { PriorityMark } from '../../ui/priority-mark.tsx';

const SAMPLE = [
  { priority: 'high', text: 'Backup of db-2 failed', source: 'API', left: '24 h left', life: 1 },
  {
    priority: 'normal',
    text: 'Invoice 4711 could not be charged',
    source: 'Webhook',
    left: '15 h left',
    life: 0.62,
  },
  {
    priority: 'low',
    text: 'Answer the letter from the landlord',
    source: 'Email',
    left: '3 h left',
    life: 0.13,
  },
] as const;

export default function LandingPage() {
  const { authenticated, loading } = useSession();
  usePageTitle('');
  if (authenticated && !loading) return <Redirect to="/inbox" replace />;
  return (
    <main className="mx-auto grid w-full max-w-[60rem] flex-1 content-center items-center gap-x-14 gap-y-12 px-6 py-14 lg:grid-cols-2">
      <div>
        <h1 className="text-28 font-semibold tracking-[-0.02em] text-balance sm:text-40">
          One list for what needs attention today
        </h1>
        <p className="mt-4 max-w-[34rem] text-16 text-ink-2">
          Scripts, alerts, mail and people push tasks in. You acknowledge them, pin the few that matter, and
          whatever nobody keeps is gone after 24 hours.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Link href="/inbox" className={buttonClass('primary', 'h-11 px-5')}>
            Open Inbox
          </Link>
          <Link href="/api-docs" className={buttonClass('secondary', 'h-11 px-5')}>
            View API Docs
          </Link>
        </div>
      </div>
      <div className="min-w-0">
        <ul
          aria-label="An example of an inbox"
          className="overflow-hidden rounded-lg border border-line-1 bg-surface-1 shadow-2"
        >
          {SAMPLE.map((row) => (
            <li key={row.text} className="relative flex items-center gap-3 px-4 py-3.5">
              <PriorityMark priority={row.priority} named />
              <span className="min-w-0 flex-1 text-16">{row.text}</span>
              <span className="text-13 text-ink-3 max-sm:hidden">{row.source}</span>
              <span className="nums w-18 text-right text-13 text-ink-2">{row.left}</span>
              <span className="absolute inset-x-0 bottom-0 h-px bg-line-1" aria-hidden>
                <span
                  className={`block h-full origin-left ${row.life < 0.2 ? 'bg-warn' : 'bg-ink-3'}`}
                  style={{ transform: `scaleX(${row.life})` }}
                />
              </span>
            </li>
          ))}
        </ul>
        <div className="mt-3">
          <Copyable
            label="Copy command"
            text={`curl -d "backup failed" -H "x-api-key: qi_…" ${location.origin}/api/v1/tasks`}
          />
        </div>
      </div>
    </main>
  );
}
