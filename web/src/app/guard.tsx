// Access to pages: a visitor who does not meet a page's rule sees a screen that says what is missing.
import { lazy, Suspense, type ReactNode } from 'react';
import { isAdmin, type AuthMethod } from '../lib/session/session.ts';
import { useSession } from '../lib/session/use-session.ts';
import { Spinner } from '../ui/spinner.tsx';

const screens = () => import('./guard-screens.tsx');
const AuthenticationRequired = lazy(async () => ({ default: (await screens()).AuthenticationRequired }));
const Insufficient = lazy(async () => ({ default: (await screens()).InsufficientAuthentication }));
const AdminRequired = lazy(async () => ({ default: (await screens()).AdminRequired }));

export interface GuardRule {
  /** Default: true. */
  requireAuth?: boolean;
  /** Default: either. */
  methods?: readonly Exclude<AuthMethod, 'none'>[];
  /** Default: false. */
  requireAdmin?: boolean;
}

const EITHER = ['jwt', 'api_key'] as const;

export function Guard({ rule, children }: { rule: GuardRule; children: ReactNode }) {
  const { requireAuth = true, methods = EITHER, requireAdmin = false } = rule;
  const { loading, method, user } = useSession();
  if (!requireAuth) return children;
  if (loading) return <Checking />;
  const refusal = refused();
  return refusal === null ? children : <Suspense fallback={<Checking />}>{refusal}</Suspense>;

  function refused(): ReactNode {
    if (method === 'none') return <AuthenticationRequired />;
    if (!methods.includes(method)) return <Insufficient required={methods} current={method} />;
    if (requireAdmin && !isAdmin(user)) return <AdminRequired />;
    return null;
  }
}

function Checking() {
  return (
    <main className="flex flex-1 items-center justify-center py-24">
      <Spinner size="large" label="Checking who you are" />
    </main>
  );
}
