// The frame of a card of settings that are saved as they are changed: what failed, and whether it is saved.
import type { ReactNode } from 'react';
import type { Problem } from '../lib/api/api-error.ts';
import { ProblemBanner } from './banner.tsx';
import { Card } from './card.tsx';

interface SavedCardProps {
  title: string;
  description?: ReactNode;
  /** '' while nothing was changed. */
  status: string;
  problem: Problem | null;
  onDismiss: () => void;
  children: ReactNode;
}

export function SavedCard({ title, description, status, problem, onDismiss, children }: SavedCardProps) {
  return (
    <div className="relative">
      <Card title={title} description={description}>
        <div className="flex flex-col gap-5">
          <ProblemBanner title="Not saved" problem={problem} onDismiss={onDismiss} />
          {children}
        </div>
      </Card>
      {/* There from the start, so that its text is read out when it comes, and nothing moves. */}
      <p role="status" className="absolute top-5 right-5 text-13 text-ink-3 sm:top-6 sm:right-6">
        {status}
      </p>
    </div>
  );
}
