// The notices above the list: a failed link, signing in, unsent changes, errors.
import type { Problem } from '../../../lib/api/api-error.ts';
import { session } from '../../../lib/services.ts';
import type { LinkProblem } from '../../../lib/session/sign-in-link.ts';
import { Banner, ProblemBanner } from '../../../ui/banner.tsx';
import type { Queue } from '../data/use-queue.ts';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { hasUnsentNotice, UnsentNotice } from './unsent-notice.tsx';

interface NoticesProps {
  link: LinkProblem | null;
  onDismissLink: () => void;
  guest: boolean;
  demo: boolean;
  onDismissGuest: () => void;
  problem: Problem | null;
  onDismissProblem: () => void;
  queue: Pick<Queue, 'offline' | 'outbox' | 'waiting'>;
}

export function Notices(props: NoticesProps) {
  const { link, onDismissLink, guest, demo, onDismissGuest, problem, onDismissProblem, queue } = props;
  if (link === null && !guest && problem === null && !hasUnsentNotice(queue)) return null;
  return (
    <div className="flex flex-col gap-2 pb-3">
      <UnsentNotice offline={queue.offline} outbox={queue.outbox} waiting={queue.waiting} />
      {link === null ? null : (
        <Banner tone="danger" title={link.title} onDismiss={onDismissLink}>
          <p>{link.message}</p>
          {link.command === null ? null : (
            <div className="mt-2 mb-1 max-w-md">
              <Copyable label="Copy command" text={link.command} />
            </div>
          )}
        </Banner>
      )}
      {guest ? (
        <Banner
          tone="info"
          title="Authentication Required"
          onDismiss={onDismissGuest}
          action={<Button onClick={() => session.require()}>Sign In</Button>}
        >
          {demo
            ? 'This is a demo: what you change stays in this page and is gone with it. Sign in to keep a queue of your own.'
            : 'You can look at this queue. Sign in to add, edit, acknowledge or pin items.'}
        </Banner>
      ) : null}
      <ProblemBanner problem={problem} onDismiss={onDismissProblem} />
    </div>
  );
}
