// Reads the event of an invitation (RFC 5545, RFC 6047). Recurrences and zones are named as sent.
import { MAIL_LIMITS, type MailCalendar } from './mail.ts';
import { cleanLine } from '#core/text/clean-text.ts';

interface Property {
  name: string;
  params: string;
  value: string;
}

const REPEATS: readonly string[] = ['daily', 'weekly', 'monthly', 'yearly'];
const MAX_LINES = 5000;

/** The first event of a calendar; null for none. `method` is the parameter of the content type. */
export function readCalendar(text: string, method: string | null): MailCalendar | null {
  let stated = method ?? '';
  const inside: string[] = [];
  const event = new Map<string, Property>();
  let found = false;
  for (const line of unfold(text)) {
    const property = readProperty(line);
    if (property === null) continue;
    if (property.name === 'BEGIN') inside.push(property.value.toUpperCase());
    else if (property.name === 'END') {
      const ended = inside.pop();
      if (ended === 'VEVENT' || ended === 'VTODO') break;
    } else if (property.name === 'METHOD' && stated === '') stated = property.value;
    else if (inside.at(-1) === 'VEVENT' || inside.at(-1) === 'VTODO') {
      found = true;
      if (!event.has(property.name)) event.set(property.name, property);
    }
    if (inside.length > 20) return null;
  }
  if (!found) return null;
  const value = (name: string) => lineOf(event.get(name)?.value);
  const end = event.get('DTEND') ?? event.get('DUE');
  return {
    title: value('SUMMARY') ?? 'Untitled event',
    start: timeOf(event.get('DTSTART')),
    end: timeOf(end, isDate(event.get('DTSTART')) && isDate(end) ? -1 : 0),
    place: value('LOCATION'),
    organizer: personOf(event.get('ORGANIZER')),
    method: cleanLine(stated, 20).toUpperCase() || 'PUBLISH',
    repeats: repeatsOf(event.get('RRULE')?.value),
  };
}

/** The description of the event, for a mail that has no text; null when there is none. */
export function calendarDescription(text: string): string | null {
  const line = unfold(text).find((each) => /^DESCRIPTION[;:]/i.test(each));
  const value = line === undefined ? undefined : readProperty(line)?.value;
  return value === undefined ? null : unescapeText(value);
}

function unfold(text: string): string[] {
  return text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/, MAX_LINES);
}

function readProperty(line: string): Property | null {
  let quoted = false;
  let semicolon = -1;
  for (let at = 0; at < Math.min(line.length, 1000); at++) {
    const char = line[at];
    if (char === '"') quoted = !quoted;
    else if (char === ';' && semicolon === -1) semicolon = at;
    else if (char === ':' && !quoted) {
      const name = line.slice(0, semicolon === -1 ? at : semicolon).toUpperCase();
      return { name, params: semicolon === -1 ? '' : line.slice(semicolon, at), value: line.slice(at + 1) };
    }
  }
  return null;
}

function parameterOf(property: Property, name: string): string | null {
  const match = new RegExp(`;${name}=(?:"([^"]*)"|([^;]*))`, 'i').exec(property.params);
  return match === null ? null : (match[1] ?? match[2] ?? '');
}

function isDate(property: Property | undefined): boolean {
  return property !== undefined && /^\d{8}$/.test(property.value.trim());
}

// The end of whole days is the day after the last; people mean the last.
function timeOf(property: Property | undefined, addDays = 0): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{0,2}(Z?))?/.exec(property?.value.trim() ?? '');
  if (property === undefined || match === null) return null;
  const [, year = '', month = '', day = '', hour, minute = '00', utc] = match;
  if (hour === undefined) {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + addDays));
    return date.toISOString().slice(0, 10);
  }
  const zone = utc === 'Z' ? 'UTC' : zoneName(parameterOf(property, 'TZID'));
  return `${year}-${month}-${day} ${hour}:${minute}${zone === '' ? '' : ` ${zone}`}`;
}

// Mozilla's and others' names carry a path: /mozilla.org/20070129_1/Europe/Berlin
function zoneName(tzid: string | null): string {
  if (tzid === null) return '';
  const olson = /(?:^|\/)([A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?)$/.exec(tzid.slice(0, 200));
  return cleanLine(olson?.[1] ?? tzid, 60);
}

function personOf(property: Property | undefined): string | null {
  if (property === undefined) return null;
  const address = lineOf(property.value.replace(/^mailto:/i, ''));
  const name = lineOf(parameterOf(property, 'CN') ?? undefined);
  if (name === null || address === null || name === address) return name ?? address;
  return `${name} <${address}>`;
}

function repeatsOf(rule: string | undefined): string | null {
  const frequency = /FREQ=([A-Z]+)/i.exec(rule?.slice(0, 500) ?? '')?.[1]?.toLowerCase();
  return REPEATS.find((each) => each === frequency) ?? null;
}

function lineOf(value: string | undefined): string | null {
  if (value === undefined) return null;
  const line = cleanLine(unescapeText(value), MAIL_LIMITS.maxNameChars);
  return line === '' ? null : line;
}

function unescapeText(value: string): string {
  return value.replace(/\\([nN,;\\])/g, (_all, char: string) => (char === 'n' || char === 'N' ? '\n' : char));
}
