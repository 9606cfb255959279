// Slack among the settings: add the app, link an account by a code, see and end links; for administrators
// also the owners of channels. Where Slack is not set up, it says how.
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import type { SlackAccount, SlackStatus } from '#adapters/ingestion/slack/contract.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { fullTime } from '../../../lib/time.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Code } from '../../../ui/code.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Channels } from '../parts/channels.tsx';
import { LinkCode } from '../parts/link-code.tsx';
import { useSlackChanges, useSlackStatus } from '../data/slack-status.ts';

export default function SlackSection() {
  return (
    <Card bare title="Slack" description="Add, see and finish what needs attention without leaving Slack.">
      <Loaded query={useSlackStatus()} loading="Loading Slack" failure="Failed to ask how Slack stands">
        {(status) => (status.configured ? <Connected status={status} /> : <HowTo />)}
      </Loaded>
    </Card>
  );
}

function HowTo() {
  return (
    <p className="text-14 text-ink-2">
      Slack is not set up at this server. Its operator finds how in{' '}
      <Code className="text-13">docs/adapters/slack.md</Code>: make an app from the manifest there, set{' '}
      <Code className="text-13">SLACK_SIGNING_SECRET</Code> and{' '}
      <Code className="text-13">SLACK_BOT_TOKEN</Code>, and start again.
    </p>
  );
}

function Connected({ status }: { status: SlackStatus }) {
  const { unlink } = useSlackChanges();
  const [ending, setEnding] = useState<SlackAccount | null>(null);
  const { busy, problem, setProblem, run } = useAction();

  async function end({ id }: SlackAccount) {
    await run(() => unlink(id), problemWith('Failed to unlink the account'));
    setEnding(null);
  }

  return (
    <div className="flex flex-col gap-5">
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
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
      <ConfirmItem
        item={ending}
        title={({ user }) => `Unlink ${user}`}
        question={({ user, team }) =>
          `What ${user} adds in ${team} will no longer come here. Tasks that are here stay.`
        }
        action="Unlink"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={(account) => void end(account)}
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
            {account.fault === null ? null : (
              <span className="block text-13 text-danger">{account.fault}</span>
            )}
          </p>
          <Button kind="danger" aria-label={`Unlink ${account.user}`} onClick={() => onUnlink(account)}>
            Unlink
          </Button>
        </li>
      ))}
    </ul>
  );
}
