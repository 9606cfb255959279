// A card of push rules.
import type { ReactNode } from 'react';
import { SavedCard } from '../../../../ui/saved-card.tsx';
import type { RulesPart, useSaveRules } from '../../data/push.ts';

interface RulesCardProps {
  title: string;
  description?: ReactNode;
  part: RulesPart;
  saver: ReturnType<typeof useSaveRules>;
  children: ReactNode;
}

export function RulesCard({ part, saver, ...rest }: RulesCardProps) {
  return (
    <SavedCard
      {...rest}
      status={saver.statusIn(part)}
      problem={saver.problemIn(part)}
      onDismiss={saver.dismiss}
    />
  );
}
