// The screens in place of a guarded page: what is missing, and the way to it.
import { KeyRound, Lock, ShieldAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { METHOD_LABEL } from '../lib/labels.ts';
import { session } from '../lib/services.ts';
import type { AuthMethod } from '../lib/session/session.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button, buttonClass } from '../ui/button.tsx';

interface ScreenProps {
  icon: LucideIcon;
  title: string;
  text: string;
  children: ReactNode;
}

function Screen({ icon: Icon, title, text, children }: ScreenProps) {
  usePageTitle(title);
  return (
    <main className="mx-auto flex w-full max-w-md flex-1 flex-col items-center justify-center gap-3 px-6 py-20 text-center">
      <span className="mb-2 inline-flex size-14 items-center justify-center rounded-full bg-accent-soft text-accent">
        <Icon size={26} aria-hidden />
      </span>
      <h1 className="text-28 font-semibold text-balance">{title}</h1>
      <p className="text-16 text-balance text-ink-2">{text}</p>
      {children}
    </main>
  );
}

export function AuthenticationRequired() {
  return (
    <Screen icon={Lock} title="Authentication Required" text="You need to be signed in to access this page.">
      <Button kind="primary" className="mt-3" onClick={() => session.require()}>
        Sign In
      </Button>
    </Screen>
  );
}

interface InsufficientProps {
  required: readonly AuthMethod[];
  current: AuthMethod;
}

export function InsufficientAuthentication({ required, current }: InsufficientProps) {
  return (
    <Screen
      icon={KeyRound}
      title="Insufficient Authentication"
      text="This page requires a different authentication method."
    >
      <dl className="mt-1 grid grid-cols-[auto_auto] gap-x-6 gap-y-1.5 text-left text-14">
        <dt className="text-ink-3">Required</dt>
        <dd>{required.map((method) => METHOD_LABEL[method]).join(' or ')}</dd>
        <dt className="text-ink-3">Current</dt>
        <dd>{METHOD_LABEL[current]}</dd>
      </dl>
      <Back />
    </Screen>
  );
}

export function AdminRequired() {
  return (
    <Screen
      icon={ShieldAlert}
      title="Admin Access Required"
      text="You need administrator privileges to access this page."
    >
      <Back />
    </Screen>
  );
}

function Back() {
  return (
    <Link href="/inbox" className={buttonClass('secondary', 'mt-3')}>
      Open Inbox
    </Link>
  );
}
