// Who may come in: administrators invite by a one-time link, disable, enable, and share their rights.
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import type { User } from '#core/contract/index.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { Findable } from '../../../ui/findable.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { NameForm } from '../../../ui/name-form.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useUserCalls, useUsers, type Invitation } from '../data/users.ts';
import { InvitationPanel } from '../parts/invitation-panel.tsx';
import { UserRow, type UserAction } from '../parts/user-row.tsx';

/** Actions that are asked about once more, and what is asked. */
const QUESTIONS = {
  disable: {
    title: 'Disable',
    question:
      'They are signed out everywhere at once, and their API keys and intakes rest until the account is enabled again. Their tasks stay.',
  },
  promote: {
    title: 'Make administrator',
    question: 'Administrators see how the server stands, and can invite, disable and sign in as anybody.',
  },
  demote: {
    title: 'Remove administrator',
    question: 'They keep their own queue, and no longer see or change other users.',
  },
} satisfies Partial<Record<UserAction, unknown>>;

type Asked = keyof typeof QUESTIONS;

const CHANGES = {
  disable: { is_active: false },
  enable: { is_active: true },
  promote: { is_admin: true },
  demote: { is_admin: false },
} as const;

const DONE: Record<keyof typeof CHANGES, (user: User) => string> = {
  disable: ({ email }) => `${email} is shut out.`,
  enable: ({ email }) => `${email} may sign in again.`,
  promote: ({ email }) => `${email} is an administrator.`,
  demote: ({ email }) => `${email} is no administrator.`,
};

export default function UsersSection() {
  const self = useSession().user;
  const { invite, link, edit } = useUserCalls();
  const { busy, problem, setProblem, run } = useAction();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [asking, setAsking] = useState<{ user: User; action: Asked } | null>(null);

  const submit = (email: string) =>
    run(async () => setInvitation(await invite(email)), problemWith('Failed to invite the user'));

  async function change(user: User, action: keyof typeof CHANGES) {
    const isDone = await run(() => edit(user, CHANGES[action]), problemWith('Failed to change the user'));
    setAsking(null);
    if (isDone) void notify({ text: DONE[action](user) });
  }

  function act(user: User, action: UserAction) {
    if (action === 'link')
      void run(async () => setInvitation(await link(user)), problemWith('Failed to make a sign-in link'));
    else if (action === 'enable') void change(user, action);
    else setAsking({ user, action });
  }

  return (
    <>
      <Card
        title="Invite"
        description="Makes a user, and a link that signs them in once. You hand the link on."
      >
        <div className="flex flex-col gap-4">
          <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
          <NameForm
            label="E-mail address"
            placeholder="ann@example.com"
            type="email"
            maxLength={254}
            busy={busy}
            kind="primary"
            required="Please enter an e-mail address"
            onSubmit={submit}
          >
            <UserRoundPlus size={17} aria-hidden />
            Invite
          </NameForm>
          {invitation === null ? null : (
            <InvitationPanel invitation={invitation} onDone={() => setInvitation(null)} />
          )}
        </div>
      </Card>
      <Card bare title="Users">
        <Loaded query={useUsers()} loading="Loading users" failure="Failed to fetch users">
          {(users) => (
            <Findable items={users} textOf={({ email, name }) => `${email} ${name}`} label="Find a user">
              {(found) => (
                <ul aria-label="Users" className="-my-3 divide-y divide-line-1">
                  {found.map((user) => (
                    <UserRow
                      key={user.id}
                      user={user}
                      isSelf={user.id === self?.id}
                      disabled={busy}
                      onAction={(action) => act(user, action)}
                    />
                  ))}
                </ul>
              )}
            </Findable>
          )}
        </Loaded>
      </Card>
      <ConfirmItem
        item={asking}
        title={({ user, action }) => `${QUESTIONS[action].title}: ${user.email}`}
        question={({ action }) => QUESTIONS[action].question}
        action={asking === null ? '' : QUESTIONS[asking.action].title}
        busy={busy}
        onCancel={() => setAsking(null)}
        onConfirm={({ user, action }) => void change(user, action)}
      />
    </>
  );
}
