// The intakes among the settings: their addresses, and the way to a new one. Only a signed-in person manages
// them; an API key and a guest are told so.
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { useSession } from '../../../lib/session/use-session.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { useIntakeList, useKinds } from '../data/intakes.ts';
import { IntakeRow } from '../parts/intake-row.tsx';

const WHAT = 'Addresses of your own for senders: what is delivered to one becomes a task here.';
/** How many intakes show the outcome of their last delivery, for each is a call. */
const MAX_VERDICTS = 20;

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
  const kinds = useKinds();
  return (
    <Card title="Intakes" description={WHAT}>
      <div className="flex flex-col gap-4">
        <Loaded query={useIntakeList()} loading="Loading intakes" failure="Failed to fetch intakes">
          {(intakes) =>
            intakes.length === 0 ? (
              <p className="text-14 text-ink-2">
                None yet. Choose a sender, paste the address there, and its first message arrives while you
                watch.
              </p>
            ) : (
              <ul aria-label="Intakes" className="divide-y divide-line-1 border-t border-line-1">
                {intakes.map((intake, index) => (
                  <IntakeRow
                    key={intake.id}
                    intake={intake}
                    kinds={kinds.data}
                    showsVerdict={index < MAX_VERDICTS}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        <Link href="/admin/intakes/new" className={buttonClass('primary', 'self-start')}>
          <Plus size={17} aria-hidden />
          New intake
        </Link>
      </div>
    </Card>
  );
}
