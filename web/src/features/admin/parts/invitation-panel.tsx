// A one-time link, shown this once to the administrator who hands it on.
import { isLocalAddress } from '../../../lib/local-address.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import type { Invitation } from '../data/users.ts';

export function InvitationPanel({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const { user, url, expiresAt } = invitation;
  return (
    <section
      aria-label="Sign-in link"
      className="rounded-md border border-accent/40 bg-accent-soft p-4 text-14"
    >
      <p className="mb-2.5 wrap-anywhere">
        Hand this link to <span className="font-semibold">{user.email}</span>. It signs them in once, until{' '}
        {fullTime(expiresAt)}, and is not shown again. Qinbox does not mail it.
      </p>
      <Copyable text={url} label="Copy sign-in link" />
      {isLocalAddress(url) ? (
        <p className="mt-2 text-13 text-ink-2">
          It works on this machine only: set{' '}
          <code translate="no" className="font-mono">
            PUBLIC_URL
          </code>{' '}
          to the address under which others reach this server.
        </p>
      ) : null}
      <Button kind="quiet" className="mt-2 -ml-2" onClick={onDone}>
        I have handed it on
      </Button>
    </section>
  );
}
