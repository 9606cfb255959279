// The notices at the foot of the page: a failed link, signing in, unsent changes, errors.
import { session } from '../../../lib/services.ts';
import { Banner, ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import type { Inbox } from '../screen/use-inbox.ts';
import { hasUnsentNotice, UnsentNotice } from './unsent-notice.tsx';

export function Notices({ inbox }: { inbox: Inbox }) {
  const { guest, queue, unkept } = inbox;
  const { problem: link, dismiss: dismissLink } = inbox.link;
  const { problem, dismiss } = inbox.problem;
  const isSilent = link === null && problem === null && !guest.isShown && !unkept.isShown;
  if (isSilent && !hasUnsentNotice(queue)) return null;
  return (
    <div className="flex max-h-[40dvh] flex-col gap-2 overflow-y-auto rounded-md *:shadow-2">
      <UnsentNotice {...queue} />
      {link === null ? null : (
        <Banner tone="danger" title={link.title} onDismiss={dismissLink}>
          <p>{link.message}</p>
          {link.command === null ? null : (
            <div className="mt-2 mb-1 max-w-md">
              <Copyable label="Copy command" text={link.command} />
            </div>
          )}
        </Banner>
      )}
      {unkept.isShown ? (
        <Banner tone="info" title="This browser keeps nothing for Qinbox" onDismiss={unkept.dismiss}>
          You are signed in, and settings of this device hold, until this page is closed or loaded again. To
          stay signed in, allow cookies and site data for this address, or make room for them, and sign in
          again.
        </Banner>
      ) : null}
      {guest.isShown ? (
        <Banner
          tone="info"
          title="Authentication Required"
          onDismiss={guest.dismiss}
          action={<Button onClick={() => session.require()}>Sign In</Button>}
        >
          {queue.demo
            ? 'This is a demo: what you change stays in this page and is gone with it. Sign in to keep a queue of your own.'
            : 'You can look at this queue. Sign in to add, edit, acknowledge or pin items.'}
        </Banner>
      ) : null}
      <ProblemBanner problem={problem} onDismiss={dismiss} />
    </div>
  );
}
