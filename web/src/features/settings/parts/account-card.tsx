// The signed-in account and its method.
import { METHOD_LABEL } from '../../../lib/labels.ts';
import { session } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';

export function AccountCard() {
  const { authenticated, method, user } = useSession();
  if (!authenticated) {
    return (
      <Card title="You are not signed in">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-[26rem] text-14 text-ink-2">
            Appearance, notifications and shortcuts work without: they stay in this browser.
          </p>
          <Button kind="primary" onClick={() => session.require()}>
            Sign In
          </Button>
        </div>
      </Card>
    );
  }
  return (
    <Card title="Account">
      <dl className="grid gap-x-8 gap-y-0.5 text-14 sm:grid-cols-[auto_1fr] sm:gap-y-2.5">
        <dt className="text-ink-3">E-mail</dt>
        <dd className="min-w-0 wrap-anywhere">
          {user !== null && 'email' in user ? user.email : 'None: api-user'}
        </dd>
        <dt className="text-ink-3 max-sm:mt-2.5">Authentication method</dt>
        <dd>{METHOD_LABEL[method]}</dd>
      </dl>
    </Card>
  );
}
