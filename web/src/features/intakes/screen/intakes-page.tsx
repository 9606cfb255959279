// The intakes: their addresses, and the way to a new one. Only a signed-in person manages them; an API key
// and a guest are told so.
import { Plus } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { session } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Findable } from '../../../ui/findable.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { useIntakeList } from '../../../lib/intake-list.ts';
import { kindOf, useKinds } from '../data/intakes.ts';
import { senderOf } from '../model/labels.ts';
import { IntakeRow } from '../parts/intake-row.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { ReachAdvice } from '../parts/reach-advice.tsx';

const WHAT = 'Addresses of your own for senders: what is delivered to one becomes a task here.';
/** How many intakes show the outcome of their last delivery, for each is a call. */
const MAX_VERDICTS = 20;

export default function IntakesPage() {
  usePageTitle('Intakes');
  const { method } = useSession();
  const isPerson = method === 'jwt';
  return (
    <PageFrame
      wide
      title="Intakes"
      subtitle={WHAT}
      actions={
        isPerson ? (
          <Link href="/admin/intakes/new" className={buttonClass('primary', 'mt-1')}>
            <Plus size={17} aria-hidden />
            New intake
          </Link>
        ) : undefined
      }
    >
      {isPerson ? <IntakeList /> : <WhoMay isGuest={method === 'none'} />}
    </PageFrame>
  );
}

function WhoMay({ isGuest }: { isGuest: boolean }) {
  return (
    <Card bare title="Intakes">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[30rem] text-14 text-ink-2">
          {isGuest
            ? 'Sign in to give GitHub, Alertmanager, a mailbox or a script of yours an address.'
            : 'An API key cannot manage intakes. Sign out, then sign in as yourself.'}
        </p>
        {isGuest ? (
          <Button kind="primary" onClick={() => session.require()}>
            Sign In
          </Button>
        ) : null}
      </div>
    </Card>
  );
}

function IntakeList() {
  const kinds = useKinds();
  return (
    <Loaded query={useIntakeList()} size="large" loading="Loading intakes" failure="Failed to fetch intakes">
      {(intakes) => (
        <Card bare title="Intakes">
          <div className="flex flex-col gap-4">
            {intakes.length === 0 ? (
              <p className="max-w-[34rem] text-14 text-ink-2">
                None yet. Choose a sender, paste the address there, and its first message arrives while you
                watch.
              </p>
            ) : (
              <Intakes intakes={intakes} kinds={kinds.data} />
            )}
            <ReachAdvice intakes={intakes} />
          </div>
        </Card>
      )}
    </Loaded>
  );
}

interface IntakesProps {
  intakes: readonly Intake[];
  kinds: readonly IntakeKindInfo[] | undefined;
}

function Intakes({ intakes, kinds }: IntakesProps) {
  const [, navigate] = useLocation();
  return (
    <Findable
      items={intakes}
      textOf={(intake) =>
        `${intake.name} ${senderOf(intake, kindOf(kinds, intake.adapter))} ${intake.address}`
      }
      label="Find an intake"
      onOpen={({ id }) => navigate(`/admin/intakes/${id}`)}
    >
      {(found) => (
        <ul aria-label="Intakes" className="-my-3 divide-y divide-line-1">
          {found.map((intake) => (
            <IntakeRow
              key={intake.id}
              intake={intake}
              kinds={kinds}
              showsVerdict={found.length <= MAX_VERDICTS || intakes.indexOf(intake) < MAX_VERDICTS}
            />
          ))}
        </ul>
      )}
    </Findable>
  );
}
