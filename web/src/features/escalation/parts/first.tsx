// While there is no escalation: a good first one, ready to be taken.
import type { SaveEscalation } from '#core/contract/index.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { useHasDevices } from '../data/escalations.ts';
import { suggestion } from '../model/draft.ts';
import { NoDevices } from './no-devices.tsx';
import { StepsLine } from './steps-line.tsx';

/** What is offered goes to none. */
const NO_RECEIVERS = { webhooks: [], slack: [] };

interface FirstProps {
  mail: boolean;
  busy: boolean;
  onUse: (input: SaveEscalation) => void;
}

export function First({ mail, busy, onUse }: FirstProps) {
  const { user } = useSession();
  const hasDevices = useHasDevices();
  const address = mail && user !== null && 'email' in user ? user.email : null;
  const input = suggestion(address);
  return (
    <section
      aria-label="A good first one"
      className="flex flex-col items-start gap-2 rounded-md border border-line-1 bg-surface-2/50 p-4"
    >
      <p className="text-14 text-ink-2">None yet. A good first one, for high priority tasks:</p>
      <StepsLine steps={input.steps} receivers={NO_RECEIVERS} />
      {hasDevices === false ? <NoDevices /> : null}
      <Button kind="primary" className="mt-1.5" disabled={busy} onClick={() => onUse(input)}>
        Use this one
      </Button>
    </section>
  );
}
