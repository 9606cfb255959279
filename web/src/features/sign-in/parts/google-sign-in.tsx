// Google's button: Google's own once its script is loaded, ours until then. Without a client id it says what
// to set.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PublicConfig } from '#core/contract/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import {
  listenForCredentials,
  loadGoogleIdentity,
  type Credential,
  type GoogleIdentity,
} from '../data/google-identity.ts';

/** Google draws its button between these widths. */
const MIN_WIDTH = 200;
const MAX_WIDTH = 400;

interface GoogleSignInProps {
  config: PublicConfig | null;
  disabled: boolean;
  /** `undefined` where Google answered without a credential. */
  onCredential: (credential: Credential | undefined) => void;
  /** Google's script could not be loaded, though someone asked for it. */
  onUnavailable: () => void;
}

export function GoogleSignIn({ config, disabled, onCredential, onUnavailable }: GoogleSignInProps) {
  const clientId = config?.googleClientId ?? null;
  const [identity, setIdentity] = useState<GoogleIdentity | null>(null);
  const [loading, setLoading] = useState(true);
  const place = useRef<HTMLDivElement>(null);
  const receive = useEffectEvent(onCredential);

  const load = useCallback(async (): Promise<boolean> => {
    if (clientId === null) return true;
    setLoading(true);
    try {
      setIdentity(await loadGoogleIdentity(clientId));
      return true;
    } catch {
      return false;
    } finally {
      setLoading(false);
    }
  }, [clientId]);

  // If this fails, our own button stays and tries again.
  useEffect(() => void load(), [load]);

  useEffect(() => {
    const container = place.current;
    if (identity === null || container === null) return;
    listenForCredentials((credential) => receive(credential));
    identity.renderButton(container, {
      type: 'standard',
      theme: 'outline',
      size: 'large',
      text: 'continue_with',
      logo_alignment: 'center',
      width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, container.clientWidth)),
    });
    identity.prompt();
    return () => {
      listenForCredentials(null);
      identity.cancel();
      container.replaceChildren();
    };
  }, [identity]);

  // Not yet known: a button that leads nowhere would be shown for a moment.
  if (config === null) return <div className="h-10" />;
  if (clientId === null) return <SignInLinkHelp command={config.signIn.linkCommand} />;
  return (
    <>
      {/* A frame of Google's, drawn for a light page. */}
      <div
        ref={place}
        inert={disabled}
        hidden={identity === null}
        className="flex h-10 justify-center scheme-light [&[hidden]]:hidden"
      />
      {identity === null ? (
        <Button
          className="h-10"
          disabled={disabled || loading}
          onClick={async () => {
            if (!(await load())) onUnavailable();
          }}
        >
          <GoogleMark />
          Continue with Google
        </Button>
      ) : null}
    </>
  );
}

/** What gets somebody in where Google is off: the link that the operator's command prints. */
function SignInLinkHelp({ command }: { command: string }) {
  return (
    <section aria-labelledby="sign-in-by-link" className="rounded-md bg-surface-2 px-4 py-3.5">
      <h3 id="sign-in-by-link" className="text-14 font-semibold">
        Sign in with a link
      </h3>
      <p className="mt-0.5 mb-2.5 text-14 text-ink-2">
        Run this where Qinbox runs, in its folder or its container, and open the link that it prints. It works
        once, within 15 minutes. Not your server? Ask its operator for a link.
      </p>
      <Copyable text={command} label="Copy command" />
      <p className="mt-2.5 text-13 text-ink-2">
        Google Sign-In is not configured. The operator can set the Google client id,{' '}
        <Code>GOOGLE_CLIENT_ID</Code>.
      </p>
    </section>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden>
      <path
        fill="#4285f4"
        d="M22.5 12.2c0-.8-.1-1.5-.2-2.2H12v4.3h5.9a5 5 0 0 1-2.2 3.3v2.7h3.5c2.1-1.9 3.3-4.7 3.3-8.1z"
      />
      <path
        fill="#34a853"
        d="M12 23c3 0 5.500-1 7.200-2.700l-3.500-2.700c-1 .7-2.200 1-3.700 1-2.800 0-5.200-1.900-6.100-4.500H2.300v2.800A11 11 0 0 0 12 23z"
      />
      <path fill="#fbbc05" d="M5.900 14.100a6.600 6.600 0 0 1 0-4.200V7.100H2.300a11 11 0 0 0 0 9.800z" />
      <path
        fill="#ea4335"
        d="M12 5.400c1.600 0 3 .5 4.200 1.600L19.300 4A11 11 0 0 0 2.300 7.100l3.600 2.800C6.800 7.300 9.200 5.400 12 5.400z"
      />
    </svg>
  );
}
