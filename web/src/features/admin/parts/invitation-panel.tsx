// A one-time link, shown this once to the administrator who hands it on.
import { isLocalAddress } from '../../../lib/local-address.ts';
import { fullTime } from '../../../lib/time.ts';
import { Code } from '../../../ui/code.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import type { Invitation } from '../data/users.ts';

export function InvitationPanel({ invitation, onDone }: { invitation: Invitation; onDone: () => void }) {
  const { user, url, expiresAt } = invitation;
  return (
    <ShownOnce
      label="Sign-in link"
      text={url}
      copyLabel="Copy sign-in link"
      done="I have handed it on"
      onDone={onDone}
      note={
        isLocalAddress(url) ? (
          <p className="mt-2 text-13 text-ink-2">
            It works on this machine only: set <Code>PUBLIC_URL</Code> to the address under which others reach
            this server.
          </p>
        ) : null
      }
    >
      Hand this link to <span className="font-semibold">{user.email}</span>. It signs them in once, until{' '}
      {fullTime(expiresAt)}, and is not shown again. Qinbox does not mail it.
    </ShownOnce>
  );
}
