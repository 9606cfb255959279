// Google's own sign-in script: fetched when it is first wanted, never before, and set up once for the page.
import { randomHex } from '../../../lib/random-id.ts';

const SCRIPT = 'https://accounts.google.com/gsi/client';

/** The used part of `google.accounts.id`. */
export interface GoogleIdentity {
  initialize(settings: {
    client_id: string;
    callback: (answer: { credential?: string }) => void;
    nonce: string;
    context: 'signin';
    use_fedcm_for_prompt: boolean;
  }): void;
  renderButton(container: HTMLElement, looks: Record<string, string | number>): void;
  prompt(): void;
  cancel(): void;
}

declare global {
  var google: { accounts?: { id?: GoogleIdentity } } | undefined;
}

/** An ID token, and what the nonce in it is the hash of. */
export interface Credential {
  idToken: string;
  rawNonce: string;
}

type Listener = (credential: Credential | undefined) => void;

let loading: Promise<GoogleIdentity> | null = null;
let listener: Listener | null = null;

/** Sets the receiver of the next credentials; `undefined` is passed where Google answered with none. */
export function listenForCredentials(chosen: Listener | null): void {
  listener = chosen;
}

/** Google's script, set up for this client id. Rejects when it cannot be had; the next call tries again. */
export function loadGoogleIdentity(clientId: string): Promise<GoogleIdentity> {
  // Stays in this page: a token that is taken out of Google's answer opens nothing elsewhere.
  const rawNonce = randomHex(32);
  loading ??= Promise.all([sha256(rawNonce), fetchScript()])
    .then(([nonce]) => {
      const identity = globalThis.google?.accounts?.id;
      if (identity === undefined) throw new Error('the script of Google sign-in did not start');
      identity.initialize({
        client_id: clientId,
        callback: ({ credential = '' }) =>
          listener?.(credential === '' ? undefined : { idToken: credential, rawNonce }),
        nonce,
        context: 'signin',
        use_fedcm_for_prompt: true,
      });
      return identity;
    })
    .catch((error: unknown) => {
      loading = null;
      throw error;
    });
  return loading;
}

/** In hex. There is no Web Crypto on plain http, nor Google's sign-in. */
async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fetchScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('the script of Google sign-in could not be loaded'));
    });
    document.head.append(script);
  });
}
