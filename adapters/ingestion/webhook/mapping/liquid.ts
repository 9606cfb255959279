// Liquid for templates that owners write: no files, no partials, a chosen set of filters. Steps are counted,
// not timed, so that a template ends within its budget on any machine and at any load.
import {
  Context,
  defaultOperators,
  Liquid,
  toValue,
  toValueSync,
  type Emitter,
  type Template,
} from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { MAX_TEMPLATE_CHARACTERS } from '#core/contract/index.ts';
import { plainHtml } from '../presets/text.ts';

/** Steps of all templates of one delivery: texts, outputs, tags, each iteration of a loop. */
const MAX_STEPS = 5000;
/** Characters and items that the filters of one template may work on. */
const MAX_WORK = 200_000;
/** Processor time of all templates of one delivery in milliseconds, for work inside a step. */
const MAX_CPU_MS = 20;
/** Output is cut after this many characters. */
const MAX_OUTPUT_CHARACTERS = 12_000;
const MAX_CACHED_TEMPLATES = 500;

const FILTERS = new Set(
  (
    'abs append at_least at_most capitalize ceil compact concat date date_to_xmlschema default divided_by downcase escape ' +
    'escape_once first floor join last lstrip map minus modulo plus prepend remove remove_first remove_last ' +
    'replace replace_first replace_last reverse round rstrip size slice sort sort_natural split squish strip strip_newlines ' +
    'sum times truncate truncatewords uniq upcase url_decode url_encode where'
  ).split(' '),
);
/** Tags that load other templates, or write HTML. */
const REMOVED_TAGS = ['block', 'include', 'layout', 'render', 'tablerow'];

const engine = createEngine();
const parsedTemplates = new LRUCache<string, Template[]>({ max: MAX_CACHED_TEMPLATES });

/** Why a template cannot be used: the place, and what to do about it. */
export interface TemplateProblem {
  ok: false;
  message: string;
}

/** Parses a template, as when it is saved. */
export function parseTemplate(text: string): { ok: true; templates: Template[] } | TemplateProblem {
  const known = parsedTemplates.get(text);
  if (known !== undefined) return { ok: true, templates: known };
  try {
    const templates = engine.parse(text);
    parsedTemplates.set(text, templates);
    return { ok: true, templates };
  } catch (cause) {
    return { ok: false, message: explain(cause) };
  }
}

/** Renders a template; a variable that is not there is nothing. */
export function renderTemplate(
  text: string,
  variables: Readonly<Record<string, unknown>>,
  budget: TemplateBudget,
): { ok: true; text: string } | TemplateProblem {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return parsed;
  const context = new Context(
    variables,
    engine.options,
    { sync: true, memoryLimit: MAX_WORK },
    { liquid: engine, renderLimit: budget as unknown as Context['renderLimit'] },
  );
  const emitter = new CutEmitter();
  try {
    toValueSync(engine.renderer.renderTemplates(parsed.templates, context, emitter));
    return { ok: true, text: emitter.buffer };
  } catch (cause) {
    return { ok: false, message: explain(cause) };
  }
}

/** Shared by the templates of one delivery. */
export interface TemplateBudget {
  use(): void;
  /** Called by the engine before each step. Throws when the budget is used up. */
  check(): void;
}

export function createTemplateBudget(): TemplateBudget {
  const startedAt = cpuMs();
  let steps = 0;
  return {
    use() {},
    check() {
      steps++;
      if (steps > MAX_STEPS) throw new Error('steps limit exceeded');
      if (steps % 4 === 0 && cpuMs() - startedAt > MAX_CPU_MS)
        throw new Error('processor time limit exceeded');
    },
  };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

class CutEmitter implements Emitter {
  buffer = '';

  write(value: unknown): void {
    if (this.buffer.length < MAX_OUTPUT_CHARACTERS)
      this.buffer += spelled(value).slice(0, MAX_OUTPUT_CHARACTERS);
  }
}

/** A value as text: lists with commas, objects as nothing (`| json` gives JSON). */
function spelled(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (!Array.isArray(value)) return '';
  return value
    .slice(0, 100)
    .map((item) => (Array.isArray(item) ? '' : spelled(item)))
    .filter((text) => text !== '')
    .join(', ');
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    strictVariables: false,
    ownPropertyOnly: true,
    relativeReference: false,
    dynamicPartials: false,
    templates: {},
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: MAX_TEMPLATE_CHARACTERS,
    operators: { ...defaultOperators, contains },
  });
  for (const tag of REMOVED_TAGS) delete liquid.tags[tag];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) delete liquid.filters[name];
  liquid.registerFilter('json', json);
  liquid.registerFilter('first_line', firstLine);
  liquid.registerFilter('strip_html', stripHtml);
  return liquid;
}

// Lists are searched at once, without a step for each item.
function contains(where: unknown, what: unknown): boolean {
  const place: unknown = toValue(where);
  const sought: unknown = toValue(what);
  if (Array.isArray(place)) return place.includes(sought);
  return typeof place === 'string' && place.includes(spelled(sought));
}

interface FilterScope {
  context: Context;
}

function json(this: FilterScope, value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  this.context.memoryLimit.use(text.length);
  return text;
}

function firstLine(value: unknown): string {
  return (spelled(value).trimStart().split('\n', 1)[0] ?? '').trimEnd();
}

function stripHtml(this: FilterScope, value: unknown): string {
  const text = spelled(value);
  this.context.memoryLimit.use(text.length);
  return plainHtml(text);
}

/** What is wrong, where, and what to do about it. */
function explain(cause: unknown): string {
  const error = cause as {
    token?: { getPosition?(): [number, number] };
    originalError?: Error;
    message?: string;
  };
  const [line, column] = error.token?.getPosition?.() ?? [];
  const place = line === undefined || column === undefined ? '' : `Line ${line}, column ${column}: `;
  return place + remedy(error.originalError?.message ?? error.message ?? '');
}

function remedy(message: string): string {
  if (/parse length limit/.test(message))
    return `The template is over ${MAX_TEMPLATE_CHARACTERS} characters. Shorten it.`;
  if (/limit exceeded/.test(message)) return 'The template does too much work. Use fewer or shorter loops.';
  const tag = /tag "?([\w-]+)"? not found/.exec(message)?.[1];
  if (tag !== undefined) {
    if (tag.startsWith('end')) return `There is nothing open that ${tag} could close.`;
    return REMOVED_TAGS.includes(tag)
      ? `The tag ${tag} is not available here: a template stands alone.`
      : `There is no tag ${tag}. There are: ${names(engine.tags)}.`;
  }
  const filter = /undefined filter: (\S{1,60})/.exec(message)?.[1];
  if (filter !== undefined) return `There is no filter ${filter}. There are: ${names(engine.filters)}.`;
  const open = /^tag (\{%-?\s*(\w+).{0,80}) not closed/s.exec(message);
  if (open !== null) return `${open[1]} is not closed. Add {% end${open[2]} %}.`;
  if (/^output .* not closed/s.test(message)) return 'An output is not closed. Add }} where it ends.';
  if (/^tag .* not closed/s.test(message)) return 'A tag is not closed. Add %} where it ends.';
  const said =
    message
      .replace(/, line:\d+, col:\d+$/, '')
      .split('\n', 1)[0]
      ?.slice(0, 150) ?? '';
  return `This is not understood (${said}). Outputs are {{ field }}, tags {% if field %}…{% endif %}.`;
}

function names(table: object): string {
  return Object.keys(table)
    .filter((name) => /^\w+$/.test(name))
    .toSorted()
    .join(', ');
}
