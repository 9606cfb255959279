// Rows that are on their way, at the size that they will have.
import type { ReactNode } from 'react';

const WIDTHS = ['w-7/12', 'w-9/12', 'w-5/12', 'w-8/12', 'w-6/12', 'w-7/12'];

export function SkeletonRows() {
  return (
    <div role="status" aria-label="Loading tasks">
      <div className="h-7.5" />
      <div className="overflow-hidden rounded-md">
        {WIDTHS.map((width, index) => (
          <div
            key={index}
            className="flex h-[4.5rem] items-start gap-2.5 border-b border-line-1 bg-surface-1 px-3 py-3 @[45rem]:h-12 @[45rem]:gap-3 @[45rem]:pr-4 @[45rem]:pl-8 compact:h-14 compact:py-1.5 compact:@[45rem]:h-8"
          >
            <span className="flex h-6 shrink-0 items-center compact:h-5">
              <span className="breathe size-3.5 rounded-full bg-surface-3" />
            </span>
            <span className="flex flex-1 flex-col gap-3 pt-1.25 compact:pt-0.75">
              <span className={`breathe h-3.5 rounded-full bg-surface-3 ${width}`} />
              <span className="breathe h-2.5 w-28 rounded-full bg-surface-3 @[45rem]:hidden" />
            </span>
            <span className="breathe mt-1.5 h-3 w-16 rounded-full bg-surface-3 @max-[45rem]:hidden compact:mt-1" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The inbox before the code of its controls has come, with everything at its place. */
export function InboxFrame({ counts, children }: { counts: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col px-3 sm:px-6">
      <div className="@container">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 pt-4 pb-3">
          {counts}
          <div className="h-9 flex-1 max-sm:basis-full touch:h-11" />
        </div>
        {children}
      </div>
    </main>
  );
}

/** As it is for everybody. */
export function InboxShell() {
  return (
    <InboxFrame counts={<h1 className="flex h-8 items-center text-20 font-semibold touch:h-11">Today</h1>}>
      <SkeletonRows />
    </InboxFrame>
  );
}
