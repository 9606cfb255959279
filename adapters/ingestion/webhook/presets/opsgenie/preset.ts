// Opsgenie's alerts, as its clients create, acknowledge and close them. An alert is one task until it is
// closed. https://docs.opsgenie.com/docs/alert-api
import type { Priority } from '#core/contract/index.ts';
import type { Preset } from '../preset.ts';
import { entries, entry, items, line, link, raw } from '../read.ts';
import { ignored, key, over, says } from '../result.ts';
import { joined } from '#core/text/parts.ts';
import { lines, manyLines, oneLine } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

const PRIORITIES: Readonly<Record<string, Priority>> = {
  P1: 'high',
  P2: 'high',
  P3: 'normal',
  P4: 'low',
  P5: 'low',
};
const MAX_DETAILS = 20;

export const opsgenie: Preset = {
  id: 'opsgenie',
  title: 'Opsgenie-compatible',
  description: 'Whatever can create alerts in Opsgenie; what is closed there is acknowledged.',
  scheme: 'none',
  setup: 'Use the address of this server as API URL, and the token of the intake as API key.',
  events: ['create', 'acknowledge', 'close'],
  read({ value }) {
    const alias = raw(value, 'alias');
    const ours = alias === '' ? '' : key('opsgenie', alias);
    const action = raw(value, 'action');
    if (action === 'close') return ours === '' ? null : over('close', ours);
    if (action === 'acknowledge')
      return ignored('acknowledge', 'Somebody is on it. It stays until it is closed.');
    if (action === 'notes') return ignored('notes', 'A note was added to the alert.');
    const message = line(value, 'message', 250);
    if (message === '') return null;
    const details = entries(value, 'details')
      .slice(0, MAX_DETAILS)
      .flatMap(([name, given]) =>
        typeof given === 'string' || typeof given === 'number' ? [[oneLine(name, 60), given] as const] : [],
      );
    const links = details.map(([, given]) => link({ given }, 'given')).filter((url) => url !== '');
    return says('create', {
      content: lines(
        message,
        joined(' · ', [line(value, 'entity', 100), line(value, 'source', 100)]),
        manyLines(raw(value, 'description'), 4000),
      ),
      // Opsgenie takes P3 where nothing is said.
      priority: entry(PRIORITIES, raw(value, 'priority').toUpperCase()) ?? 'normal',
      tags: items(value, 'tags').map((tag) => raw({ tag }, 'tag')),
      url: links[0] ?? '',
      dedupeKey: ours,
      metadata: { details: Object.fromEntries(details) },
    });
  },
  sample,
};
