// The intakes among the settings: each address, what comes of it, and the way to a new one. Managed by whoever is signed in; an API
// key and a guest are told so.
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { problemOf } from '../../../lib/api/api-error.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useIntakeList, useKinds } from '../data/intakes.ts';
import { IntakeRow } from '../parts/intake-row.tsx';

const WHAT = 'Addresses of your own for senders: what is delivered to one becomes a task here.';
/** So many tell how their last delivery went; each is a call. */
const MOST_VERDICTS = 20;

export function IntakesCard() {
  const { method } = useSession();
  if (method === 'jwt') return <IntakeList />;
  return (
    <Card title="Intakes" description={WHAT}>
      <p className="text-14 text-ink-2">
        {method === 'none'
          ? 'Sign in to give GitHub, Alertmanager, a mailbox or a script of yours an address.'
          : 'An API key cannot manage intakes. Sign out, then sign in as yourself.'}
      </p>
    </Card>
  );
}

function IntakeList() {
  const list = useIntakeList();
  const kinds = useKinds();
  const intakes = list.data;

  function rows(): ReactNode {
    if (intakes === undefined) return list.error === null ? <Spinner label="Loading intakes" /> : null;
    if (intakes.length === 0)
      return (
        <p className="text-14 text-ink-2">
          None yet. Choose a sender, paste the address there, and its first message arrives while you watch.
        </p>
      );
    return (
      <ul aria-label="Intakes" className="divide-y divide-line-1 border-t border-line-1">
        {intakes.map((intake, index) => (
          <IntakeRow
            key={intake.id}
            intake={intake}
            kinds={kinds.data}
            tellsVerdict={index < MOST_VERDICTS}
          />
        ))}
      </ul>
    );
  }

  return (
    <Card title="Intakes" description={WHAT}>
      <div className="flex flex-col gap-4">
        {list.error === null ? null : (
          <Banner tone="danger" action={<Button onClick={() => void list.refetch()}>Try again</Button>}>
            <ProblemText {...problemOf(list.error, 'Failed to fetch intakes')} />
          </Banner>
        )}
        {rows()}
        <Link href="/admin/intakes/new" className={buttonClass('primary', 'self-start')}>
          <Plus size={17} aria-hidden />
          New intake
        </Link>
      </div>
    </Card>
  );
}
