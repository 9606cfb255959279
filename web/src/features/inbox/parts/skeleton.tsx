// Rows that are on their way, at the size that they will have.

const WIDTHS = ['w-7/12', 'w-9/12', 'w-5/12', 'w-8/12', 'w-6/12', 'w-7/12'];

export function SkeletonRows() {
  return (
    <div role="status" aria-label="Loading tasks">
      <div className="h-9 pt-1" />
      {WIDTHS.map((width, index) => (
        <div
          key={index}
          className="flex h-[4.5rem] items-center gap-3 border-b border-line-1 bg-surface-1 px-3 sm:h-12 sm:pl-10 compact:sm:h-8"
        >
          <span className="breathe size-3.5 shrink-0 rounded-full bg-surface-3" />
          <span className={`breathe h-3.5 rounded-full bg-surface-3 ${width}`} />
          <span className="breathe ml-auto h-3 w-16 rounded-full bg-surface-3 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
