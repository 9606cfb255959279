// What to do where an address names the server's own machine, so that no other one can deliver to it.
import type { Intake } from '#core/contract/index.ts';
import { isLocalAddress } from '../../../lib/local-address.ts';
import { Code } from '../../../ui/code.tsx';

/** One of these is enough for the advice; nothing when all can be reached from elsewhere. */
export function ReachAdvice({ intakes }: { intakes: readonly Pick<Intake, 'address' | 'addressKind'>[] }) {
  const local = intakes.filter(({ address }) => isLocalAddress(address));
  if (local.length === 0) return null;
  const isMail = local.every(({ addressKind }) => addressKind === 'email');
  const [host, name] = isMail ? ['SMTP_HOST', 'SMTP_DOMAIN'] : ['HOST', 'PUBLIC_URL'];
  return (
    <p className="rounded-md bg-surface-2 px-4 py-3 text-14 text-ink-2">
      Senders on other machines cannot reach {local.length === 1 ? 'this address' : 'these addresses'}: start
      Qinbox with <Variable name={name} /> set to {isMail ? 'the domain' : 'the URL'} under which they find
      this server, and <Variable name={`${host}=0.0.0.0`} /> unless a proxy stands before it.
    </p>
  );
}

function Variable({ name }: { name: string | undefined }) {
  return <Code className="text-13 whitespace-nowrap text-ink-1">{name}</Code>;
}
