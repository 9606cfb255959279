// Trello watches a board and tells of a card deep in its payload, beside the board: the task is about the
// card.
// https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/
import { filled } from '#core/domain/filled.ts';
import { field, raw } from '../presets/read.ts';
import { spoken } from './phrases.ts';

/** What a delivery of Trello says of a card, its name first; others as they are. */
export function ofCard(value: unknown): unknown {
  const said = field(value, 'action.data');
  const title = raw(said, 'card.name');
  const link = raw(said, 'card.shortLink');
  if (title.trim() === '' || !/^\w{4,20}$/.test(link) || raw(said, 'board.name') === '') return value;
  const [from, to] = [raw(said, 'listBefore.name'), raw(said, 'listAfter.name')];
  const list = to === '' ? raw(said, 'list.name') : `${from} → ${to}`;
  return {
    title,
    project: raw(said, 'board.name'),
    author: raw(value, 'action.memberCreator.fullName'),
    action: spoken(raw(value, 'action.type')).toLowerCase(),
    ...filled({ list: list || null, text: raw(said, 'text') || null }),
    ...(field(said, 'card.closed') === true ? { archived: true } : {}),
    url: `https://trello.com/c/${link}`,
  };
}
