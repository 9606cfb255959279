// The frame of a card of rules, which are saved as they are changed: what failed, and whether it is saved.
import type { ReactNode } from 'react';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Card } from '../../../../ui/card.tsx';
import type { RulesPart, useSaveRules } from '../../data/push.ts';

interface RulesCardProps {
  title: string;
  description?: ReactNode;
  part: RulesPart;
  saver: ReturnType<typeof useSaveRules>;
  children: ReactNode;
}

export function RulesCard({ title, description, part, saver, children }: RulesCardProps) {
  return (
    <div className="relative">
      <Card title={title} description={description}>
        <div className="flex flex-col gap-5">
          <ProblemBanner title="Not saved" problem={saver.problemIn(part)} onDismiss={saver.dismiss} />
          {children}
        </div>
      </Card>
      {/* There from the start, so that its text is read out when it comes, and nothing moves. */}
      <p role="status" className="absolute top-5 right-5 text-13 text-ink-3 sm:top-6 sm:right-6">
        {saver.statusIn(part)}
      </p>
    </div>
  );
}
