// The list when nothing matches the filter.
import type { Priority } from '#core/contract/index.ts';
import { Button } from '../../../ui/button.tsx';
import { describeFilter } from '../model/describe-filter.ts';
import type { Filter } from '../model/page.ts';
import { Frame } from './empty-states.tsx';

export function NothingMatches({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  const { priority, snoozed } = filter;
  const wanted = describeFilter(filter);
  const isOnly = snoozed && wanted === '';
  return (
    <Frame title={priority !== null ? noneOf(priority) : isOnly ? 'Nothing is snoozed' : 'Nothing found'}>
      {wanted === '' ? null : (
        <p className="text-16 wrap-anywhere text-ink-2">
          {priority === null ? 'No item' : 'None'} {wanted}.
        </p>
      )}
      <Button onClick={onClear} className="mt-3 touch:h-11">
        Show all items
      </Button>
    </Frame>
  );
}

function noneOf(priority: Priority): string {
  return `No ${priority} priority items`;
}
