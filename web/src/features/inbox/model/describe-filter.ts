// A list in words: what it leaves out, and its order.
import { PRIORITIES, PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { ORDER_LABEL, ORDERS } from './order.ts';
import type { Filter } from './page.ts';
import { parseSearch } from './search.ts';

/** What was looked for, as the end of a sentence: `contains “pump”, has #ops and came from Email`. */
export function describeFilter({ text, tags, source, intake }: Filter): string {
  const parts = [
    ...(text === '' ? [] : [`contains “${text}”`]),
    ...(tags.length === 0 ? [] : [`has ${tags.map((tag) => `#${tag}`).join(' and ')}`]),
    ...(source === null ? [] : [`came from ${sourceLabel(source)}`]),
    ...(intake === null ? [] : [`came through “${intake}”`]),
  ];
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** The query of a saved view: `#ops pump · High priority · Sort by priority`. */
export function describeQuery(query: string): string {
  const params = new URLSearchParams(query);
  const typed = params.get('q') ?? '';
  const priority = PRIORITIES.find((known) => known === params.get('priority')) ?? null;
  const order = ORDERS.find((known) => known === params.get('order'));
  const inText = parseSearch(typed).priority;
  const parts = [
    ...(typed === '' ? [] : [typed]),
    ...(priority === null || priority === inText ? [] : [`${PRIORITY_LABEL[priority]} priority`]),
    ...(order === undefined ? [] : [ORDER_LABEL[order]]),
    ...(params.get('snoozed') === 'true' ? ['Snoozed'] : []),
  ];
  return parts.length === 0 ? 'all items' : parts.join(' · ');
}
