// The place of the Google button. Where no client id is set, it says what to set.
import type { PublicConfig } from '#core/contract/index.ts';
import type { Problem } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';

interface GoogleSignInProps {
  config: PublicConfig | null;
  disabled: boolean;
  onProblem: (problem: Problem) => void;
}

export function GoogleSignIn({ config, disabled, onProblem }: GoogleSignInProps) {
  if (config !== null && !config.signIn.google) {
    return (
      <p className="rounded-md bg-surface-2 px-4 py-2.5 text-13 text-ink-2">
        Google Sign-In is not configured. Whoever runs this server can set{' '}
        <code className="font-mono">GOOGLE_CLIENT_ID</code>.
      </p>
    );
  }
  return (
    <Button
      className="h-10"
      disabled={disabled || config === null}
      onClick={() => onProblem({ message: 'Failed to sign in with Google' })}
    >
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
      Continue with Google
    </Button>
  );
}
