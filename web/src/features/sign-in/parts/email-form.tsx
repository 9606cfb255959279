// Signing in or up with e-mail and password, where the server has it switched on.
import { useState } from 'react';
import type { Problem } from '../../../lib/api/api-error.ts';
import { signInWithPassword, signUp } from '../../../lib/session/actions.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';

interface EmailFormProps {
  busy: boolean;
  onProblem: (problem: Problem) => void;
  /** Does the work; then closes the dialog, or shows in it what went wrong. */
  attempt: (work: () => Promise<void>, fallback: string) => Promise<unknown>;
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
    <Form noValidate className="flex flex-col gap-4" onSubmit={() => void submit()}>
      {joining ? (
        <TextField label="Name" autoComplete="name" value={name} disabled={busy} onChange={setName} />
      ) : null}
      <TextField
        label="Email address"
        type="email"
        autoComplete="username"
        value={email}
        disabled={busy}
        onChange={setEmail}
      />
      <TextField
        label="Password"
        hint={joining ? 'Password must be at least 8 characters long.' : null}
        type="password"
        autoComplete={joining ? 'new-password' : 'current-password'}
        value={password}
        disabled={busy}
        onChange={setPassword}
      />
      <Button type="submit" kind="primary" disabled={busy || missing} className="h-10">
        {busy ? 'One moment…' : joining ? 'Sign Up' : 'Sign In'}
      </Button>
      <Button kind="quiet" disabled={busy} onClick={() => setJoining(!joining)}>
        {joining ? 'Sign in to an account you have' : 'Make an account'}
      </Button>
    </Form>
  );
}
