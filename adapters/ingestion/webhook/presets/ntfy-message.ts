// A message as it is published to ntfy: JSON, or a text with headers, by all the names that ntfy knows.
// https://docs.ntfy.sh/publish/#list-of-all-parameters
import { isBlank } from '#core/domain/blank.ts';
import type { Payload } from './preset.ts';
import { renderGoTemplate } from './ntfy/template/render.ts';
import { field, isObject, items, jsonIn, link, raw } from './read.ts';

export interface Message {
  topic: string;
  title: string;
  text: string;
  priority: string;
  tags: readonly string[];
  click: string;
  markdown: boolean;
  /** Of messages that replace one another. */
  sequence: string;
  /** A file, by its name or its address. */
  attachment: string;
  /** Of a file that was too long to be read. */
  attachmentBytes: number | undefined;
  /** When it is due: not kept back here, so it is said. */
  delay: string;
  /**
   * The name of a template that reads the body, or `failed` where the message's own could not be carried out:
   * then title and text are empty. Empty for a message that is what it says.
   */
  template: string;
}

/** ntfy's five levels, by number and by name. */
export const LEVELS: Readonly<Record<string, 1 | 2 | 3 | 4 | 5>> = {
  '1': 1,
  '2': 2,
  '3': 3,
  '4': 4,
  '5': 5,
  min: 1,
  low: 2,
  default: 3,
  high: 4,
  max: 5,
  urgent: 5,
};

export const TEMPLATE_NAMES = ['x-template', 'template', 'tpl'];
export const SEQUENCE_NAMES = ['x-sequence-id', 'sequence-id', 'sid'];
/** Says how long a file was that came as the body and was not kept. No parameter of ntfy's. */
export const FILE_BYTES = 'x-attachment-bytes';
/** Every name of a parameter, as header or in the query. */
export const PARAMETERS = (
  'x-title title ti t x-message message m x-priority priority prio p x-tags tags tag ta x-click click x-markdown markdown md ' +
  'x-sequence-id sequence-id sid x-actions actions action x-attach attach a x-filename filename file f x-icon icon ' +
  'x-delay delay x-at at x-in in x-template template tpl'
).split(' ');

/** The message of a payload; its texts are untrusted and as long as they came. */
export function messageOf(payload: Payload): Message {
  const { value } = payload;
  const template = templateOf(payload);
  if (template !== '') return fromTemplate(payload, template);
  return isMessageJson(value) ? fromJson(value, payload) : fromHeaders(payload);
}

/** `yes` where title and message are templates themselves, the name of one, or empty for neither. */
export function templateOf({ headers }: Pick<Payload, 'headers'>): string {
  const given = TEMPLATE_NAMES.map((name) => headers[name]?.trim() ?? '').find((text) => text !== '') ?? '';
  if (isTrue(given)) return 'yes';
  return /^(?:0|no|false)$/i.test(given) ? '' : given.toLowerCase();
}

/** https://docs.ntfy.sh/publish/#message-templating */
function fromTemplate(payload: Payload, template: string): Message {
  const message = fromHeaders({ ...payload, text: '' });
  if (template !== 'yes') return { ...message, title: '', text: '', template };
  const [title, text] = [message.title, message.text].map((each) => renderGoTemplate(each, payload.value));
  return title === null || text === null || title === undefined || text === undefined
    ? { ...message, title: '', text: '', template: 'failed' }
    : { ...message, title, text };
}

/** Whether it is published as JSON. */
export function isMessageJson(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && ['message', 'title', 'topic'].some((name) => typeof value[name] === 'string');
}

/** Headers say what the JSON leaves out: Apprise sends its priority, tags and link so. */
function fromJson(body: Readonly<Record<string, unknown>>, payload: Payload): Message {
  const beside = fromHeaders({ ...payload, text: '' });
  const tags = Array.isArray(body['tags'])
    ? items(body, 'tags').map((tag) => raw({ tag }, 'tag'))
    : raw(body, 'tags').split(',');
  return {
    topic: raw(body, 'topic'),
    title: raw(body, 'title') || beside.title,
    text: raw(body, 'message') || beside.text,
    priority: raw(body, 'priority') || beside.priority,
    tags: tags.some((tag) => tag !== '') ? tags : beside.tags,
    click: link(body, 'click') || viewed(items(body, 'actions')) || link(body, 'attach') || beside.click,
    markdown: field(body, 'markdown') === true || beside.markdown,
    sequence: raw(body, 'sequence_id'),
    attachment: raw(body, 'filename') || raw(body, 'attach') || beside.attachment,
    attachmentBytes: undefined,
    delay: raw(body, 'delay') || beside.delay,
    template: '',
  };
}

function fromHeaders({ headers, text: body }: Payload): Message {
  const one = (...names: string[]): string => {
    const name = names.find((each) => (headers[each] ?? '') !== '');
    return name === undefined ? '' : unencoded(headers[name] ?? '');
  };
  // A header has one line: ntfy reads a backslash and an n as the end of one.
  const said = one('x-message', 'message', 'm').replaceAll('\\n', '\n');
  const fileName = one('x-filename', 'filename', 'file', 'f');
  const address = one('x-attach', 'attach', 'a');
  // With a name and no address the body is the file, and the message is what is said of it.
  const isFile = fileName !== '' && address === '' && !isBlank(said);
  return {
    topic: one('x-topic'),
    title: one('x-title', 'title', 'ti', 't'),
    text: isFile || isBlank(body) ? said : body,
    priority: one('x-priority') || withoutUrgency(one('priority')) || one('prio', 'p'),
    tags: one('x-tags', 'tags', 'tag', 'ta').split(','),
    click:
      [one('x-click', 'click'), viewedIn(one('x-actions', 'actions', 'action')), address]
        .map((url) => link({ url }, 'url'))
        .find((url) => url !== '') ?? '',
    markdown: isTrue(one('x-markdown', 'markdown', 'md')),
    sequence: one(...SEQUENCE_NAMES),
    attachment: fileName || address,
    attachmentBytes: Number(headers[FILE_BYTES]) || undefined,
    delay: one('x-delay', 'delay', 'x-at', 'at', 'x-in', 'in'),
    template: '',
  };
}

/** The address of the button that opens one; what others call (`http`, `broadcast`) is for programs. */
function viewed(actions: readonly unknown[]): string {
  return link(
    actions.slice(0, 10).find((action) => raw(action, 'action') === 'view'),
    'url',
  );
}

/** The same of a header: JSON, or `view, Open, https://…; http, Close, https://…`. */
function viewedIn(actions: string): string {
  if (actions.trimStart().startsWith('['))
    return viewed(items({ list: jsonIn({ actions }, 'actions') }, 'list'));
  const view = actions.split(';').find((action) => /^\s*(?:action\s*=\s*)?["']?view\b/i.test(action)) ?? '';
  return /https?:\/\/[^\s,;"']{1,2000}/.exec(view)?.[0] ?? '';
}

/** Browsers and proxies send a header `Priority` of their own (RFC 9218, `u=1, i`). */
function withoutUrgency(priority: string): string {
  return /^u=\d(?:,\s*(?:i|\d))?$/.test(priority.trim()) ? '' : priority;
}

/** Whether a parameter is switched on. */
export function isTrue(value: string): boolean {
  return /^(?:1|yes|true)$/i.test(value);
}

/** Letters beyond ASCII come as RFC 2047 says, `=?UTF-8?B?…?=`, or in UTF-8. */
function unencoded(value: string): string {
  const joined = value.slice(0, 4000).replace(/\?=\s{1,10}=\?/g, '?==?');
  return joined.replace(/=\?utf-8\?([bq])\?([^?\s]{0,1000})\?=/gi, (_, how: string, text: string) =>
    how.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text),
  );
}

function quoted(text: string): string {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
