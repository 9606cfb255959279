// Turns the bodies that are not JSON into the fields of a task: plain text is the content itself, and so is what
// `curl -d` sends. Pure; the result is validated like any JSON body.

/** Headers that say what plain text cannot. */
export interface TextHeaders {
  'x-priority'?: string | undefined;
  'x-tags'?: string | undefined;
  'x-expiry-minutes'?: string | undefined;
}

/** The fields of a task from a `text/plain` body. */
export function fromText(body: string, headers: TextHeaders): Record<string, unknown> {
  return {
    content: body,
    ...given('priority', headers['x-priority']?.trim().toLowerCase()),
    ...given(
      'tags',
      headers['x-tags'] === undefined ? undefined : splitTags(decodeHeader(headers['x-tags'])),
    ),
    ...given('expiryMinutes', wholeNumber(headers['x-expiry-minutes'])),
  };
}

/**
 * The fields of a task from an `application/x-www-form-urlencoded` body. One without a `content=` field is what
 * `curl -d "text"` sends: the text itself, as it stands.
 */
export function fromForm(body: string, headers: TextHeaders): Record<string, unknown> {
  if (!/(?:^|&)content=/.test(body)) return fromText(body, headers);
  const form = new URLSearchParams(body);
  const field = (name: string) => form.get(name) ?? undefined;
  return {
    ...fromText(field('content') ?? '', headers),
    ...given('priority', field('priority')?.trim().toLowerCase()),
    ...given('tags', form.has('tags') ? form.getAll('tags').flatMap(splitTags) : undefined),
    ...given('expiryMinutes', wholeNumber(field('expiryMinutes'))),
    ...given('source', field('source')),
    ...given('dedupeKey', field('dedupeKey')),
  };
}

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

// What is not a whole number stays as it is, for the validator to refuse by name.
function wholeNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

// Header bytes arrive as Latin-1; what was meant is nearly always UTF-8.
function decodeHeader(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? text : decoded;
}

function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}
