// Summarises a payload that no preset knows as a readable task: a title from the fields that usually hold
// one, the facts, how bad it is and where to click. Never shows raw JSON or a secret.
import type { ParsedTask, ParsedDelivery } from '#core/domain/delivery.ts';
import type { Body } from '../decode/body.ts';
import { readJson } from '../decode/json.ts';
import { filled } from '#core/domain/filled.ts';
import { scalarFieldsOf, type ScalarField } from './scalar-fields.ts';
import { isSecretName, maskText } from '../redaction/mask.ts';
import { firstLine, isTelling, join, line, sizeText, spoken, tidy } from './phrases.ts';
import { plainHtml } from '../presets/text.ts';
import { linkIn } from './link.ts';
import { priorityIn, saysOver } from './priority.ts';
import { PEOPLE, WRAPPERS } from './wrappers.ts';
import { withoutEnvelope } from './sns.ts';
import { ofCard } from './trello.ts';

const TITLE_CHARACTERS = 200;
const FACT_CHARACTERS = 80;
const MAX_FACTS = 6;
const DETAIL_CHARACTERS = 2000;
const TEXT_CHARACTERS = 8000;

/** The best first; those in `EVENT_NAMES` hold words for programs. */
const TITLE_NAMES =
  'title titel titre titulo subject betreff asunto headline summary alertname alert alarm ruletitle eventtitle message nachricht mensaje msg text shortdescription event eventname eventtype description name displayname reason error errormessage type action body content status'.split(
    ' ',
  );
/** Last words of names that hold a title where nothing else does, and what a `name` must be of. */
const TITLE_ENDINGS = 'subject title output message rule name'.split(' ');
const NAMED = /^(?:alarm|alert|rule|monitor|check|incident|job|policy|condition|search)$/;
const EVENT_NAMES = new Set('event eventname eventtype type action status'.split(' '));
const DETAIL_NAMES = new Set(
  'message msg text description details detail body content error errormessage summary reason'.split(' '),
);
const DETAIL_ENDINGS = new Set('message description reason'.split(' '));
/** What is around a thing, and never what happened. */
const BESIDE = new Set(
  'webhook hook account org organization team workspace tenant trigger instance'.split(' '),
);
/** Facts worth telling, in this order, without their names. */
const FACT_NAMES =
  'service app application project repository repo component environment env stage host hostname instance server node cluster region zone branch job workflow monitor device sensor user username author actor sender customer email from status state severity level priority result conclusion outcome action reason error message amount total currency version'.split(
    ' ',
  );
const NAMES_OF_THINGS = new Set('name fullname login title displayname username slug'.split(' '));
const KEY_NAMES = ['dedupekey', 'dedupkey', 'deduplicationkey', 'incidentkey', 'alertkey'];
/** Words of fields that tell a person nothing. */
const NOT_TELLING = new Set(
  'id ids uuid guid hash sha checksum digest nonce etag signature fingerprint time timestamp ts date datetime at created updated modified since until timezone url uri href link links avatar icon logo color colour locale schema format html markdown'.split(
    ' ',
  ),
);

/** The task of a payload that neither a mapping nor a preset has read. */
export function summarise(body: Body): ParsedDelivery {
  const event = eventOf(body);
  const task = taskOf(body);
  // Who gives a key and then says that it is over wants that task gone.
  const isClose = task.dedupeKey !== undefined && saysOver(withoutEnvelope(body.value));
  const read = isClose ? { tasks: [], resolves: [task.dedupeKey ?? ''] } : { tasks: [task], resolves: [] };
  return { ...read, ...filled({ event }) };
}

function taskOf(body: Body): ParsedTask {
  const { form, value, text, contentType, sizeBytes } = body;
  if (form === 'empty') return { content: 'Called without a body' };
  if (form === 'bytes') return { content: `Received ${sizeText(sizeBytes)} of ${contentType || 'bytes'}` };
  return form === 'text' ? taskOfText(text, contentType) : taskOfValue(value);
}

function taskOfText(text: string, contentType: string): ParsedTask {
  const first = text.trimStart().slice(0, 2);
  if (first.startsWith('{') || /^\[["{[]/.test(first)) {
    // One JSON value a line, or JSON that is cut off: its first line is read, and never shown as it is.
    const lines = text.trim().split('\n', 1000);
    const read = readJson(lines[0] ?? '');
    if (!read.ok)
      return {
        content: `Received ${sizeText(Buffer.byteLength(text))} of text that begins like JSON and is none`,
      };
    const task = taskOfValue(read.value);
    return lines.length === 1 ? task : { ...task, content: `${lines.length} lines: ${task.content}` };
  }
  const plain = contentType === 'text/html' ? plainHtml(text, TEXT_CHARACTERS) : tidy(text, TEXT_CHARACTERS);
  return { content: plain === '' ? 'Received a text without words' : maskText(plain) };
}

function taskOfValue(given: unknown): ParsedTask {
  const value = ofCard(withoutEnvelope(given));
  if (Array.isArray(value)) return taskOfList(value as unknown[]);
  if (typeof value !== 'object' || value === null)
    return { content: `Received: ${line(String(value), FACT_CHARACTERS)}` };
  const fields = scalarFieldsOf(value).filter(
    ({ name, parents, words }) =>
      !isSecretName(words.join('_')) && !parents.some((parent) => isSecretName(parent)) && name !== '',
  );
  const title = titleOf(fields);
  const detail = detailOf(fields, title?.field ?? null);
  const thing = title !== null && EVENT_NAMES.has(title.field.name) ? thingOf(fields) : null;
  const others = fields.filter((field) => ![title?.field, detail?.field, thing].includes(field));
  const head = join(title?.text ?? '', factsOf(others, title?.text ?? '', thing));
  const dedupeKey = fields.find(
    ({ name, parents, value: key }) =>
      parents.length < 2 && KEY_NAMES.includes(name) && typeof key === 'string' && key !== '',
  )?.value;
  return {
    content: detail === null ? head : `${head}\n\n${detail.text}`,
    ...filled({ priority: priorityIn(fields), url: linkIn(fields), tags: tagsOf(value) }),
    ...(typeof dedupeKey === 'string' && dedupeKey.length <= 255 ? { dedupeKey } : {}),
  };
}

function taskOfList(list: readonly unknown[]): ParsedTask {
  const [first] = list;
  if (typeof first === 'object' && first !== null) {
    const task = taskOfValue(first);
    return list.length === 1 ? task : { ...task, content: `${list.length} items: ${task.content}` };
  }
  const shown = list
    .slice(0, MAX_FACTS)
    .filter((item) => typeof item !== 'object')
    .map((item) => line(String(item), FACT_CHARACTERS));
  return { content: list.length === 0 ? 'Received an empty list' : join(`${list.length} items`, shown) };
}

/** A number alone says nothing. */
function isTitle(text: string): boolean {
  return isTelling(text) && !/^[\d\s.,:-]+$/.test(text.slice(0, 50));
}

function titleOf(fields: readonly ScalarField[]): { field: ScalarField; text: string } | null {
  let best: { field: ScalarField; score: number } | null = null;
  for (const field of fields) {
    // `{ message: { text: … } }`
    const holder = field.name === 'text' ? (field.parents.at(-1) ?? '') : '';
    const isHeld = TITLE_NAMES.includes(holder) && !EVENT_NAMES.has(holder);
    const rank = TITLE_NAMES.indexOf(isHeld ? holder : field.name);
    if (rank === -1 || typeof field.value !== 'string' || !isTitle(field.value)) continue;
    const strange = field.parents.filter((parent) => !WRAPPERS.has(parent)).length;
    const score = rank + (field.parents.length - (isHeld ? 1 : 0)) * 6 + strange * 40;
    if (best === null || score < best.score) best = { field, score };
  }
  if (best === null || best.score > 80) return titleByEnding(fields);
  const text = line(firstLine(String(best.field.value)), TITLE_CHARACTERS);
  return { field: best.field, text: EVENT_NAMES.has(best.field.name) ? spoken(text) : text };
}

/** What an event happened to, by its name (`movie.title`), where the event's own name is all there is. */
function thingOf(fields: readonly ScalarField[]): ScalarField | null {
  const isNamed = ({ name, parents, value }: ScalarField) =>
    /^(?:title|name|displayname|summary|subject|topic|content)$/.test(name) &&
    parents.length > 0 &&
    parents.length < 3 &&
    !parents.some((parent) => PEOPLE.has(parent) || BESIDE.has(parent)) &&
    typeof value === 'string' &&
    isTelling(value);
  return fields.find(isNamed) ?? null;
}

/** Where no name is a title's: `alert_subject`, `monitorFriendlyName`, `AlarmName`. */
function titleByEnding(fields: readonly ScalarField[]): { field: ScalarField; text: string } | null {
  for (const ending of TITLE_ENDINGS)
    for (const field of fields) {
      const { words, parents, value } = field;
      if (words.at(-1) !== ending || parents.some((parent) => !WRAPPERS.has(parent))) continue;
      if (typeof value !== 'string' || !isTelling(value)) continue;
      if (ending === 'name' && !words.some((word) => NAMED.test(word))) continue;
      return { field, text: line(firstLine(value), TITLE_CHARACTERS) };
    }
  return null;
}

/** A text that is longer than a title or a fact; of the title's own, what its line fields out. */
function detailOf(
  fields: readonly ScalarField[],
  title: ScalarField | null,
): { field: ScalarField; text: string } | null {
  const isExact = ({ name }: ScalarField) => DETAIL_NAMES.has(name);
  const ending = fields.filter((field) => !isExact(field) && DETAIL_ENDINGS.has(field.words.at(-1) ?? ''));
  for (const field of [...fields.filter(isExact), ...ending]) {
    const { value, parents } = field;
    if (typeof value !== 'string' || !isTelling(value)) continue;
    if (parents.some((parent) => !WRAPPERS.has(parent))) continue;
    const limit = field === title ? TITLE_CHARACTERS : FACT_CHARACTERS;
    const start = firstLine(value);
    if (start.length <= limit && start.length === value.trim().length) continue;
    const text = tidy(/^\s*<[a-z!]/i.test(value) ? plainHtml(value) : value, DETAIL_CHARACTERS);
    const rest = field === title && start.length <= limit ? text.slice(start.length).trim() : text;
    return { field, text: maskText(rest) };
  }
  return null;
}

function factsOf(fields: readonly ScalarField[], title: string, thing: ScalarField | null): string[] {
  const said = new Set([title.toLowerCase()]);
  const ranked = fields
    .map((field, order) => ({ ...factOf(field), order }))
    .toSorted((a, b) => a.rank - b.rank || a.order - b.order);
  const facts: string[] = [];
  const name = thing === null ? '' : line(String(thing.value), FACT_CHARACTERS);
  if (name !== '') {
    facts.push(name);
    said.add(name.toLowerCase()).add(`name ${name}`.toLowerCase());
  }
  for (const { text, of } of ranked) {
    if (text === null || facts.length === MAX_FACTS) continue;
    const key = text.toLowerCase();
    if (said.has(key) || said.has(of)) continue;
    said.add(key).add(of);
    facts.push(text);
  }
  return facts;
}

/** Long words, times, UUIDs and hashes. */
const LIKE_AN_ID = /^\S{41,}$|^\d{4}-\d\d-\d\d[T ]|^[0-9a-f]{8}-[0-9a-f-]{20,}$|^[0-9a-f]{24,}$/i;

/** What a field tells, how much it matters, and the thing that it is about, which is named once. */
function factOf({ name, words, parents, value }: ScalarField) {
  const parent = parents.at(-1) ?? '';
  const isNameOfThing = NAMES_OF_THINGS.has(name) && FACT_NAMES.includes(parent);
  const rank = FACT_NAMES.indexOf(isNameOfThing ? parent : name);
  const of = isNameOfThing ? `${parent}.` : `${[...parents, name].join('.')}.`;
  const unknown = { text: null, rank: 1000, of };
  if (!isNameOfThing) {
    if (NAMES_OF_THINGS.has(name) && parents.some((each) => !WRAPPERS.has(each))) return unknown;
    if (parents.length > 2 || words.some((word) => NOT_TELLING.has(word))) return unknown;
  }
  if (typeof value === 'string') {
    if (!isTelling(value) || value.length > FACT_CHARACTERS || LIKE_AN_ID.test(value)) return unknown;
  }
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : line(String(value), FACT_CHARACTERS);
  const named = rank === -1 || typeof value !== 'string';
  return {
    text: named ? `${words.join(' ')} ${text}` : text,
    rank: (rank === -1 ? 500 : rank) + parents.length * 50,
    of,
  };
}

function tagsOf(value: object): string[] {
  const tags = (value as { tags?: unknown }).tags;
  if (!Array.isArray(tags)) return [];
  return tags
    .slice(0, 10)
    .filter((tag): tag is string => typeof tag === 'string' && tag.length <= 50 && isTelling(tag))
    .map((tag) => line(tag, 50));
}

function eventOf({ value, headers }: Body): string | null {
  const named =
    headers['ce-type'] ?? headers['x-event-type'] ?? headers['x-event-key'] ?? headers['x-event-name'];
  if (named !== undefined && named.trim() !== '') return line(named, 100);
  const fields = (typeof value === 'object' ? value : null) as Record<string, unknown> | null;
  for (const name of ['event', 'event_type', 'eventType', 'event_name', 'type']) {
    const event = fields !== null && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof event === 'string' && event.trim() !== '' && event.length <= 100) return line(event, 100);
  }
  return null;
}
