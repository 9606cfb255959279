// A sign-in link ends in `/inbox#signin=TOKEN`. The token leaves the address bar before it is used, once.
import { api, session } from '../services.ts';
import { ApiError } from '../api/api-error.ts';

/** The notice of a link that did not work. */
export interface LinkProblem {
  title: string;
  message: string;
  command: string | null;
}

let problem: LinkProblem | null = null;

/** Why the link of this page did not sign anyone in; null when it did, or there was none. */
export function linkProblem(): LinkProblem | null {
  return problem;
}

export function dismissLinkProblem(): void {
  problem = null;
}

/** Exchanges the token in the address, if there is one. The session is `loading` until then. Never throws. */
export async function signInByLink(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('signin');
  if (token === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  session.setLoading(true);
  try {
    const { tokens, user } = await api('POST /auth/link', { body: { token }, as: 'nobody' });
    session.storeTokens(tokens, user);
  } catch (error) {
    problem =
      error instanceof ApiError && error.temporary
        ? {
            title: 'The sign-in link could not be checked',
            message: 'Qinbox did not answer. The link still works: open it again in a moment.',
            command: null,
          }
        : overProblem(await linkCommand());
  } finally {
    session.setLoading(false);
  }
}

function overProblem(command: string | null): LinkProblem {
  const another =
    command === null ? '.' : ', or get one where Qinbox runs, in its folder or its container, with:';
  return {
    title: 'This sign-in link does not work any more',
    message: `It was used already, or its 15 minutes are over. Ask an administrator for another${another}`,
    command,
  };
}

/** What the server says that prints another; null where it does not answer. */
async function linkCommand(): Promise<string | null> {
  try {
    return (await api('GET /config', { as: 'nobody' })).config.signIn.linkCommand;
  } catch {
    return null;
  }
}
