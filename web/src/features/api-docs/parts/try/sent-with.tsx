// Whose credentials a tried call goes with: the session's, a key's, or none.
import type { SessionState } from '../../../../lib/session/session.ts';
import { isAdmin, userLabel } from '../../../../lib/session/session.ts';
import { session } from '../../../../lib/services.ts';
import { Button } from '../../../../ui/button.tsx';
import { Choice } from '../../../../ui/choice.tsx';
import type { SentWith } from '../../data/send.ts';
import { narrowestScopes, type CallAccess } from '../../model/access.ts';
import { KeyField } from '../key-field.tsx';

const LABEL: Record<SentWith, string> = {
  session: 'Your session',
  key: 'API key',
  nobody: 'No credentials',
};

/** What this call may be sent with now, the likeliest first; empty where there is nothing yet. */
export function waysOf(access: CallAccess, { method, user }: SessionState): SentWith[] {
  const { open, keyScopes, session: takesSession, administrator, metrics } = access;
  if (open === 'always') return ['nobody'];
  const isTaken = method === 'jwt' ? takesSession && (!administrator || isAdmin(user)) : keyScopes !== null;
  return [
    ...(method !== 'none' && isTaken ? ['session' as const] : []),
    ...(keyScopes !== null || metrics ? ['key' as const] : []),
    ...(open === 'to guests' ? ['nobody' as const] : []),
  ];
}

interface SentWithProps {
  access: CallAccess;
  /** The call's own name. */
  purpose: string;
  state: SessionState;
  ways: readonly SentWith[];
  chosen: SentWith | undefined;
  onChoose: (way: SentWith) => void;
}

export function SentWithChoice({ access, purpose, state, ways, chosen, onChoose }: SentWithProps) {
  const { method, user } = state;
  const scopes = narrowestScopes(access);
  if (access.open === 'always') return <p className="text-14 text-ink-2">It is sent without credentials.</p>;
  if (chosen === undefined) return <Missing access={access} isSignedIn={method !== 'none'} />;
  return (
    <div className="flex flex-col gap-2">
      {ways.length < 2 ? null : (
        <Choice
          label="Sent with"
          value={chosen}
          options={ways.map((value) => ({ value, label: LABEL[value] }))}
          onChange={onChoose}
        />
      )}
      {chosen === 'session' ? (
        <p className="text-13 text-ink-2">
          {method === 'api_key'
            ? 'It is sent with the API key of your session.'
            : `It is sent as ${userLabel(user)}.`}
        </p>
      ) : null}
      {chosen === 'key' ? (
        <KeyField make={method === 'jwt' && scopes !== null ? { purpose, scopes } : null} />
      ) : null}
    </div>
  );
}

// No key would do, and nobody is signed in who may.
function Missing({ access: { administrator }, isSignedIn }: { access: CallAccess; isSignedIn: boolean }) {
  const who = administrator ? 'an administrator' : 'a person';
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-sm bg-surface-2 px-3 py-2">
      <p className="min-w-0 flex-1 basis-48 text-14 text-ink-2">
        Only {who} can make this call, in a session: it takes no API key.
        {isSignedIn ? ' You are signed in as somebody else.' : ''}
      </p>
      {isSignedIn ? null : <Button onClick={() => session.require()}>Sign In</Button>}
    </div>
  );
}
