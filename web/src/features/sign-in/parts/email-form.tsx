// Signing in or up with e-mail and password. Hidden behind "coming soon" unless the server has it switched on.
import { useState } from 'react';
import type { Problem } from '../../../lib/api/api-error.ts';
import { signInWithPassword, signUp } from '../../../lib/session/actions.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';

interface EmailFormProps {
  busy: boolean;
  onProblem: (problem: Problem) => void;
  /** Does the work, says in the dialog what went wrong, and closes it when it went well. */
  attempt: (work: () => Promise<void>, fallback: string) => Promise<boolean>;
}

export function EmailForm({ busy, onProblem, attempt }: EmailFormProps) {
  const [joining, setJoining] = useState(false);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const missing = email === '' || password === '' || (joining && name === '');

  async function submit() {
    if (email.trim() === '' || password.trim() === '')
      return onProblem({ message: 'Email and password are required' });
    if (joining && name.trim() === '') return onProblem({ message: 'Name is required for sign up' });
    await attempt(
      () =>
        joining ? signUp(name.trim(), email.trim(), password) : signInWithPassword(email.trim(), password),
      'Authentication failed',
    );
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {joining ? (
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              autoComplete="name"
              value={name}
              disabled={busy}
              onChange={(event) => setName(event.target.value)}
              className={`${INPUT} h-10`}
            />
          )}
        </Field>
      ) : null}
      <Field label="Email address">
        {(control) => (
          <input
            {...control}
            type="email"
            autoComplete="username"
            value={email}
            disabled={busy}
            onChange={(event) => setEmail(event.target.value)}
            className={`${INPUT} h-10`}
          />
        )}
      </Field>
      <Field label="Password" hint={joining ? 'Password must be at least 8 characters long.' : undefined}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete={joining ? 'new-password' : 'current-password'}
            value={password}
            disabled={busy}
            onChange={(event) => setPassword(event.target.value)}
            className={`${INPUT} h-10`}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" disabled={busy || missing} className="h-10">
        {busy ? 'One moment…' : joining ? 'Sign Up' : 'Sign In'}
      </Button>
      <Button kind="quiet" disabled={busy} onClick={() => setJoining(!joining)}>
        {joining ? 'Sign in to an account you have' : 'Make an account'}
      </Button>
    </form>
  );
}
