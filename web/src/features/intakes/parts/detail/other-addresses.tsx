// Where clients of other hubs deliver to the same intake: what to paste into each tool.
import type { Intake } from '#core/contract/index.ts';
import { Code } from '../../../../ui/code.tsx';
import { CopyButton } from '../../../../ui/copyable.tsx';

export function OtherAddresses({ addresses }: { addresses: Intake['otherAddresses'] }) {
  if (addresses.length === 0) return null;
  return (
    <details className="group text-14">
      <summary className="w-fit rounded-sm font-semibold">For tools made for Slack, ntfy and others</summary>
      <p className="mt-0.5 max-w-[46rem] text-ink-2">
        A tool that already notifies through one of these needs nothing but this.
      </p>
      <ul className="mt-2 flex flex-col divide-y divide-line-1">
        {addresses.map(({ title, address, key, apps }) => (
          <li key={title} className="grid gap-x-4 py-2 sm:grid-cols-[11rem_1fr]">
            <span className="py-1.5 text-ink-2">{title}</span>
            <div className="min-w-0">
              <Pasted text={address} label={`Copy the address for ${title}`} />
              {key === null ? null : <Pasted text={key} prefix="Key" label={`Copy the key for ${title}`} />}
              {apps === null ? null : (
                <p className="pb-1.5 text-13 wrap-anywhere text-ink-3">
                  To see the queue in its app: {apps}.
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Pasted({ text, label, prefix = null }: { text: string; label: string; prefix?: string | null }) {
  return (
    <div className="flex items-center gap-2">
      {prefix === null ? null : <span className="text-13 text-ink-3">{prefix}</span>}
      <Code className="min-w-0 flex-1 text-13 wrap-anywhere select-all">{text}</Code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
