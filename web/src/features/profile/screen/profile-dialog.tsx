// User Profile: the person, the account and the API keys; closing it and signing out.
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { User } from '#core/contract/index.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { editName, signOut } from '../../../lib/session/actions.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { fullTime } from '../../../lib/time.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { ProfileKeys } from '../parts/profile-keys.tsx';

const PROVIDER = new Map([
  ['google', 'Google'],
  ['email', 'Email'],
  ['link', 'Sign-in link'],
]);

export default function ProfileDialog({ onClose }: { onClose: () => void }) {
  const { user, method } = useSession();
  const [signingOut, setSigningOut] = useState(false);
  // Signed out, here or in another tab, while it was open.
  if (method !== 'jwt' || user === null || !('email' in user)) return null;
  return (
    <Dialog
      open
      onClose={onClose}
      title="User Profile"
      size="xl"
      busy={signingOut}
      closesByBack={!signingOut}
    >
      <div className="flex flex-col gap-6">
        <Person user={user} />
        <AccountDetails user={user} />
        <ProfileKeys userName={user.name === '' ? user.email : user.name} />
        <div className="flex justify-between gap-2 border-t border-line-1 pt-4">
          <Button
            kind="danger"
            disabled={signingOut}
            onClick={() => {
              setSigningOut(true);
              // It may be called off.
              void signOut().finally(() => setSigningOut(false));
            }}
          >
            Sign Out
          </Button>
          <Button onClick={onClose} disabled={signingOut}>
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
    <div className="flex items-start gap-4 max-[18rem]:flex-col">
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
  const { busy, problem, run } = useAction();
  const trimmed = name.trim();

  async function save() {
    if (trimmed === '' || busy) return;
    const isUnchanged = trimmed === user.name;
    if (isUnchanged || (await run(() => editName(trimmed), problemWith('Failed to update profile'))))
      onDone();
  }

  return (
    <Form className="min-w-0 flex-1" onSubmit={() => void save()}>
      <TextField
        label="Name"
        error={problem?.message}
        ref={focusOnce}
        value={name}
        maxLength={100}
        disabled={busy}
        autoComplete="name"
        onChange={setName}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone();
        }}
        className="h-9 min-w-40 flex-1"
        after={
          <>
            <Button type="submit" kind="primary" disabled={busy || trimmed === ''}>
              Save
            </Button>
            <Button kind="quiet" disabled={busy} onClick={onDone}>
              Cancel
            </Button>
          </>
        }
      />
    </Form>
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
