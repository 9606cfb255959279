// How bad it is that a payload tells of: by its severity, else by its state, else by the name of its event.
import type { Priority } from '#core/contract/index.ts';
import { priorityOf } from '#core/text/severity.ts';
import { isObject } from '../presets/read.ts';
import { scalarFieldsOf, type ScalarField } from './scalar-fields.ts';
import { WRAPPERS } from './wrappers.ts';

const SEVERITY_NAMES = [
  'severity',
  'level',
  'loglevel',
  'priority',
  'urgency',
  'importance',
  'criticality',
  'impact',
  'prioritylabel',
  'alerttype',
];
const STATUS_NAMES = [
  'status',
  'state',
  'result',
  'outcome',
  'conclusion',
  'health',
  'alertstatus',
  'newstatevalue',
  'currentstate',
  'alerttypefriendlyname',
  'alerttransition',
  'alertstate',
  'monitorstatus',
  'servicestate',
  'hoststate',
];
const EVENT_NAMES = ['type', 'event', 'eventtype', 'eventname', 'notificationtype'];
/** What is over is not bad any more, however severe it was. */
const OVER = /^(?:resolved|recovered|closed|cleared)$/i;
const FAILED = /(?:^|[a-z](?=E|F)|[._:\s-])(?:error|errored|failed|failure)$/i;

/** Null where nothing tells. */
export function priorityIn(fields: readonly ScalarField[]): Priority | null {
  if (fields.some(isOver)) return 'low';
  // That an analysis went well says little of a gate that it did not pass (SonarQube).
  const ofGate = fields.filter(({ parents }) => parents.at(-1) === 'qualitygate');
  const hasAlertType = fields.some(({ name }) => name === 'alerttype');
  for (const names of [SEVERITY_NAMES, STATUS_NAMES])
    for (const { name, words, parents, value } of [...ofGate, ...fields]) {
      // `{ priority: { name: 'High' } }`, and `event_severity`
      const last = words.at(-1) === 'severity' ? 'severity' : name;
      const about = name === 'name' || name === 'value' ? (parents.at(-1) ?? '') : last;
      if (!names.includes(about) || typeof value !== 'string') continue;
      // Of Datadog a severity; elsewhere the name of a kind.
      if (about === 'alerttype' && !/^[a-z]+$/i.test(value)) continue;
      // Datadog's events are all of the same priority, whatever they tell.
      if (about === 'priority' && hasAlertType && /^normal$/i.test(value)) continue;
      const priority = priorityOf(value);
      if (priority !== null) return priority;
    }
  return fields.some(isFailure) ? 'high' : null;
}

/** Whether what a payload tells of is over: `status: resolved`, `resolved: true`. Of a list nobody knows. */
export function saysOver(value: unknown): boolean {
  return (
    isObject(value) &&
    (value['resolved'] === true || value['resolved'] === 'true' || scalarFieldsOf(value).some(isOver))
  );
}

function isAbout({ parents }: ScalarField): boolean {
  return parents.every((parent) => WRAPPERS.has(parent));
}

function isOver(field: ScalarField): boolean {
  const { name, value } = field;
  return (
    STATUS_NAMES.includes(name) && typeof value === 'string' && OVER.test(value.trim()) && isAbout(field)
  );
}

/** `deployment.error`, `SCANNING_FAILED` */
function isFailure(field: ScalarField): boolean {
  const { name, parents, value } = field;
  return EVENT_NAMES.includes(name) && parents.length < 2 && typeof value === 'string' && FAILED.test(value);
}
