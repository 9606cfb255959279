// Slack among the settings: add the app, link an account by a code, see and end links; for administrators also which channels go to
// whom. Where Slack is not set up, how to.
import { MessageSquare } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { SlackAccount, SlackStatus } from '#adapters/ingestion/slack/contract.ts';
import { problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { fullTime } from '../../../lib/time.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Channels } from '../parts/channels.tsx';
import { LinkCode } from '../parts/link-code.tsx';
import { useSlackChanges, useSlackStatus } from '../data/slack-status.ts';

export default function SlackCard() {
  const { data: status, error, refetch } = useSlackStatus();
  const place = useRef<HTMLDivElement>(null);
  const isThere = status !== undefined;
  // Slack's messages lead here; by then the page has drawn itself.
  useEffect(() => {
    if (isThere && location.hash === '#slack') place.current?.scrollIntoView?.({ block: 'start' });
  }, [isThere]);

  function content(): ReactNode {
    if (error !== null)
      return (
        <Banner tone="danger" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          <ProblemText {...problemOf(error, 'Failed to ask how Slack stands')} />
        </Banner>
      );
    if (status === undefined) return <Spinner label="Loading Slack" />;
    return status.configured ? <Connected status={status} /> : <HowTo />;
  }

  return (
    <div id="slack" ref={place} className="scroll-mt-20">
      <Card title="Slack" description="Add, see and finish what needs attention without leaving Slack.">
        {content()}
      </Card>
    </div>
  );
}

function HowTo() {
  return (
    <p className="text-14 text-ink-2">
      Slack is not set up at this server. Whoever runs it finds how in{' '}
      <code className="font-mono text-13">docs/adapters/slack.md</code>: make an app from the manifest there,
      set <code className="font-mono text-13">SLACK_SIGNING_SECRET</code> and{' '}
      <code className="font-mono text-13">SLACK_BOT_TOKEN</code>, and start again.
    </p>
  );
}

function Connected({ status }: { status: SlackStatus }) {
  const { unlink } = useSlackChanges();
  const [ending, setEnding] = useState<SlackAccount | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function end(account: SlackAccount) {
    setBusy(true);
    setProblem(null);
    try {
      await unlink(account.id);
    } catch (error) {
      setProblem(problemOf(error, 'Failed to unlink the account'));
    } finally {
      setBusy(false);
      setEnding(null);
    }
  }

  return (
    <div className="flex flex-col gap-5">
      {problem === null ? null : (
        <Banner tone="danger" onDismiss={() => setProblem(null)}>
          <ProblemText {...problem} />
        </Banner>
      )}
      {status.installUrl === null ? null : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-[26rem] text-14 text-ink-2">
            Your workspace needs the app once, added by somebody who may add apps there.
          </p>
          <a href={status.installUrl} className={buttonClass('secondary')}>
            Add to Slack
          </a>
        </div>
      )}
      <Accounts accounts={status.accounts} onUnlink={setEnding} />
      <LinkCode linked={status.accounts.length} />
      {status.channels === null ? null : <Channels channels={status.channels} />}
      <Confirm
        open={ending !== null}
        title={`Unlink ${ending?.user ?? 'the account'}`}
        question={`What ${ending?.user ?? ''} adds in ${ending?.team ?? ''} will no longer come here. Tasks that are here stay.`}
        action="Unlink"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={() => {
          if (ending !== null) void end(ending);
        }}
      />
    </div>
  );
}

interface AccountsProps {
  accounts: readonly SlackAccount[];
  onUnlink: (account: SlackAccount) => void;
}

function Accounts({ accounts, onUnlink }: AccountsProps) {
  if (accounts.length === 0) return <p className="text-14 text-ink-2">No account of yours is linked yet.</p>;
  return (
    <ul aria-label="Linked Slack accounts" className="divide-y divide-line-1 border-y border-line-1">
      {accounts.map((account) => (
        <li key={account.id} className="flex items-center gap-3 py-3">
          <MessageSquare size={17} aria-hidden className="shrink-0 text-ink-3 max-sm:hidden" />
          <p className="min-w-0 flex-1 text-14 wrap-anywhere">
            <span className="font-medium">{account.user}</span> in {account.team}
            <span className="block text-13 text-ink-3">Linked {fullTime(account.linked_at)}</span>
          </p>
          <Button kind="danger" aria-label={`Unlink ${account.user}`} onClick={() => onUnlink(account)}>
            Unlink
          </Button>
        </li>
      ))}
    </ul>
  );
}
