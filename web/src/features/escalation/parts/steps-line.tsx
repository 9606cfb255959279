// Steps as a line: "Push at once → Slack after 5 min → Mail to ann@example.com after 30 min".
import { ArrowRight } from 'lucide-react';
import { delayText, wayText, type Step } from '../model/steps.ts';

interface StepsLineProps {
  steps: readonly (Pick<Step, 'kind' | 'afterMinutes'> & { id?: string; to?: string | null })[];
  webhooks: readonly { id: string; name: string }[];
}

export function StepsLine({ steps, webhooks }: StepsLineProps) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-14">
      {steps.map(({ id, kind, to = null, afterMinutes }, index) => (
        <li key={id ?? index} className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 wrap-anywhere">
            {wayText({ kind, to }, webhooks)}{' '}
            <span className="nums text-ink-2">{delayText(afterMinutes)}</span>
          </span>
          {index === steps.length - 1 ? null : (
            <ArrowRight size={14} aria-hidden className="shrink-0 text-ink-3" />
          )}
        </li>
      ))}
    </ol>
  );
}
