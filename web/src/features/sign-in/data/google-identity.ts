// Google's own sign-in script: fetched when it is first wanted, never before, and set up once for the page.

const SCRIPT = 'https://accounts.google.com/gsi/client';

/** The used part of `google.accounts.id`. */
export interface GoogleIdentity {
  initialize(settings: {
    client_id: string;
    callback: (answer: { credential?: string }) => void;
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

type Listener = (credential: string | undefined) => void;

let loading: Promise<GoogleIdentity> | null = null;
let listener: Listener | null = null;

/** Sets the receiver of the next credentials; `undefined` is passed where Google answered with none. */
export function listenForCredentials(chosen: Listener | null): void {
  listener = chosen;
}

/** Google's script, set up for this client id. Rejects when it cannot be had; the next call tries again. */
export function loadGoogleIdentity(clientId: string): Promise<GoogleIdentity> {
  loading ??= fetchScript()
    .then(() => {
      const identity = globalThis.google?.accounts?.id;
      if (identity === undefined) throw new Error('the script of Google sign-in did not start');
      identity.initialize({
        client_id: clientId,
        callback: ({ credential }) => listener?.(credential),
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
