// Steps as a line: "Push at once → Slack after 5 min → Mail to ann@example.com after 30 min".
import { ArrowRight } from 'lucide-react';
import { delayText, wayText, type Receivers, type Step } from '../model/steps.ts';

interface StepsLineProps {
  steps: readonly (Pick<Step, 'kind' | 'afterMinutes'> & { id?: string; to?: string | null })[];
  receivers: Receivers;
}

export function StepsLine({ steps, receivers }: StepsLineProps) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-14">
      {steps.map(({ id, kind, to = null, afterMinutes }, index) => (
        <li key={id ?? index} className="min-w-0 wrap-anywhere">
          {wayText({ kind, to }, receivers)}{' '}
          <span className="whitespace-nowrap">
            <span className="nums text-ink-2">{delayText(afterMinutes)}</span>
            {index === steps.length - 1 ? null : (
              <ArrowRight size={14} aria-hidden className="ml-2 inline align-[-0.125em] text-ink-3" />
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
