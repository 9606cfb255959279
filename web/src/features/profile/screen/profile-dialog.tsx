// User Profile: who this is, how the account stands, and the API keys. Closing it and signing out are always there.
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { User } from '#core/contract/index.ts';
import { problemOf } from '../../../lib/api/api-error.ts';
import { editName, signOut } from '../../../lib/session/actions.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { ProfileKeys } from '../parts/profile-keys.tsx';

const PROVIDER = new Map([
  ['google', 'Google'],
  ['email', 'Email'],
  ['link', 'Sign-in link'],
]);

export default function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { user, method } = useSession();
  const [leaving, setLeaving] = useState(false);
  // Signed out, here or in another tab, while it was open.
  if (method !== 'jwt' || user === null || !('email' in user)) return null;
  return (
    <Dialog open onClose={onClose} title="User Profile" size="xl" busy={leaving}>
      <div className="flex flex-col gap-6">
        <Person user={user} />
        <AccountDetails user={user} />
        <ProfileKeys userName={user.name === '' ? user.email : user.name} />
        <div className="flex justify-between gap-2 border-t border-line-1 pt-4">
          <Button
            kind="danger"
            disabled={leaving}
            onClick={() => {
              setLeaving(true);
              void signOut();
            }}
          >
            Sign Out
          </Button>
          <Button onClick={onClose} disabled={leaving}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Person({ user }: { user: User }) {
  const [editing, setEditing] = useState(false);
  return (
    <div className="flex items-start gap-4">
      <Avatar user={user} />
      {editing ? (
        <NameForm user={user} onDone={() => setEditing(false)} />
      ) : (
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1 text-16 font-semibold">
            <span className="min-w-0 wrap-anywhere">{user.name || 'No name yet'}</span>
            <IconButton small label="Edit name" onClick={() => setEditing(true)}>
              <Pencil size={15} aria-hidden />
            </IconButton>
          </p>
          <p className="text-14 wrap-anywhere text-ink-2">{user.email}</p>
          <p className="mt-0.5 text-13 text-ink-3">
            {/* The date stays in one piece. */}
            Member since {fullTime(user.created_at).replaceAll(' ', '\u00a0')}
          </p>
        </div>
      )}
    </div>
  );
}

function Avatar({ user }: { user: User }) {
  const [failed, setFailed] = useState(false);
  if (user.avatar_url === null || failed) {
    return (
      <span
        aria-hidden
        className="flex size-14 shrink-0 items-center justify-center rounded-full bg-accent-soft text-20 font-semibold text-accent uppercase"
      >
        {(user.name || user.email).charAt(0)}
      </span>
    );
  }
  return (
    <img
      src={user.avatar_url}
      alt=""
      width={56}
      height={56}
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
      className="size-14 shrink-0 rounded-full bg-surface-2 object-cover"
    />
  );
}

function NameForm({ user, onDone }: { user: User; onDone: () => void }) {
  const [name, setName] = useState(user.name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const trimmed = name.trim();

  async function save() {
    if (trimmed === '' || busy) return;
    if (trimmed === user.name) return onDone();
    setBusy(true);
    try {
      await editName(trimmed);
      onDone();
    } catch (failure) {
      setError(problemOf(failure, 'Failed to update profile').message);
      setBusy(false);
    }
  }

  return (
    <form
      className="min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="Name" error={error}>
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <input
              {...control}
              ref={focusOnce}
              value={name}
              maxLength={100}
              disabled={busy}
              autoComplete="name"
              onChange={(event) => setName(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Escape') return;
                event.stopPropagation();
                onDone();
              }}
              className={`${INPUT} h-9 min-w-40 flex-1`}
            />
            <Button type="submit" kind="primary" disabled={busy || trimmed === ''}>
              Save
            </Button>
            <Button kind="quiet" disabled={busy} onClick={onDone}>
              Cancel
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus();
}

function AccountDetails({ user }: { user: User }) {
  const details = [
    ['Auth Provider', PROVIDER.get(user.auth_provider) ?? user.auth_provider],
    ['Email Verified', user.email_verified ? 'Verified' : 'Pending'],
    ['Account Status', user.is_active ? 'Active' : 'Inactive'],
    ['Last Login', user.last_login === null ? 'Never' : fullTime(user.last_login)],
  ];
  return (
    <section>
      <h3 className="mb-2.5 text-14 font-semibold">Account Details</h3>
      <dl className="grid gap-x-8 gap-y-2.5 rounded-md bg-surface-2 px-4 py-3 text-14 sm:grid-cols-2">
        {details.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 sm:block">
            <dt className="text-13 text-ink-3">{name}</dt>
            <dd className="text-right sm:text-left">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
