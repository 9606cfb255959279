// The list without rows: never used, all done, not fetched.
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { FirstSteps } from './first-steps.tsx';
import { FirstTask } from './first-task.tsx';

interface FrameProps {
  title: string;
  children?: React.ReactNode;
  /** Below: the first steps of somebody new, as long as they are offered. */
  steps?: 'new' | 'used';
}

export function Frame({ title, children, steps }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="mx-auto flex w-full max-w-[34rem] flex-1 flex-col items-center justify-center gap-2 px-2 py-14 text-center sm:py-20">
      <h2 ref={heading} tabIndex={-1} className="text-20 font-semibold outline-none">
        {title}
      </h2>
      {children}
      {steps === undefined ? null : (
        <FirstSteps isNew={steps === 'new'} onDismissed={() => heading.current?.focus()} />
      )}
    </section>
  );
}

function AddFirst({ onAdd }: { onAdd: () => void }) {
  return (
    <Button kind="primary" className="touch:h-11" onClick={onAdd}>
      <Plus size={17} aria-hidden />
      Add First Item
    </Button>
  );
}

/** A queue that was never used: teaches with one command, and waits for it. */
export function NeverUsed({ onAdd }: { onAdd: () => void }) {
  return (
    <Frame title="Queue is empty" steps="new">
      <FirstTask />
      <AddFirst onAdd={onAdd} />
    </Frame>
  );
}

/** Everything is done. */
export function AllDone({ onAdd }: { onAdd: () => void }) {
  return (
    <Frame title="Queue is empty" steps="used">
      <svg viewBox="0 0 120 56" width="150" height="70" fill="none" aria-hidden className="order-first mb-4">
        <path d="M8 46h104" className="stroke-line-2" strokeWidth="1.5" strokeLinecap="round" />
        <path d="M38 46a22 22 0 0 1 44 0" className="fill-accent-soft stroke-accent" strokeWidth="2" />
        <path
          d="M60 6v8M31.700 17.700l5.700 5.700M88.300 17.700l-5.700 5.700M18 40h7M95 40h7"
          className="stroke-accent"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      <p className="mb-5 text-16 text-ink-2">
        Nothing is left for today. What comes in appears here by itself.
      </p>
      <AddFirst onAdd={onAdd} />
    </Frame>
  );
}

/** The list could not be fetched; the banner says why. */
export function NothingFetched({ onRetry }: { onRetry: () => void }) {
  return (
    <Frame title="The list is not here right now">
      <p className="mb-4 text-16 text-ink-2">Nothing is lost. Qinbox asks again every 30 seconds.</p>
      <Button onClick={onRetry}>Try again</Button>
    </Frame>
  );
}

/** Opened without a network. */
export function NothingYet() {
  return (
    <Frame title="The list is not here yet">
      <p className="text-16 text-ink-2">Nothing is lost. Tasks come back with the connection.</p>
    </Frame>
  );
}
