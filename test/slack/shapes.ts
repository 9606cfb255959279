// What Slack would refuse of blocks and views: the rules of Block Kit that are easily broken, by their
// numbers. https://docs.slack.dev/reference/block-kit

type Json = Record<string, unknown>;

const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value !== '' && Array.from(value).length <= most;

function textObject(value: unknown, most: number): string | null {
  const { type, text, verbatim } = (value ?? {}) as Json;
  if (type !== 'plain_text' && type !== 'mrkdwn') return 'a text object has a type';
  // Slack would take it, and make mentions and links of what senders wrote.
  if (type === 'mrkdwn' && verbatim !== true) return 'texts are shown as they are';
  return isText(text, most) ? null : `a text has 1 to ${most} characters`;
}

function element(value: unknown): string | null {
  const { type, text, action_id: id, value: carried, options, initial_option: chosen, url } = value as Json;
  if (!isText(id, 255)) return 'an element has an action_id';
  if (type === 'button') {
    if (carried !== undefined && !isText(carried, 2000)) return 'a value has 1 to 2000 characters';
    if (url !== undefined && !URL.canParse(url as string)) return 'a url is one';
    return textObject(text, 75);
  }
  if (type === 'static_select') {
    const all = (options as Json[]).map((option) => JSON.stringify(option));
    if (all.length === 0 || all.length > 100) return 'a select has 1 to 100 options';
    return chosen === undefined || all.includes(JSON.stringify(chosen))
      ? null
      : 'the initial option is one of them';
  }
  return type === 'plain_text_input' ? null : `an element ${String(type)} is not known here`;
}

/** Of rich text: its lines and quotes, and the pieces in them. */
function richElement(value: unknown): string | null {
  const { type, elements, text, url, timestamp, format } = value as Json;
  switch (type) {
    case 'rich_text_section':
    case 'rich_text_quote': {
      const parts = elements as unknown[];
      if (parts.length === 0) return 'a line has a piece';
      return parts.map(richElement).find((fault) => fault !== null) ?? null;
    }
    case 'text':
      return isText(text, 3000) ? null : 'a piece has words';
    case 'link':
      return URL.canParse(url as string) ? null : 'a link leads somewhere';
    case 'date':
      return Number.isInteger(timestamp) && isText(format, 100) ? null : 'a date has a time and a format';
    default:
      return `a piece ${String(type)} is not known here`;
  }
}

function block(value: unknown): string | null {
  const { type, text, elements, accessory, label, element: input } = value as Json;
  switch (type) {
    case 'section':
      return textObject(text, 3000) ?? (accessory === undefined ? null : element(accessory));
    case 'header':
      return textObject(text, 150);
    case 'divider':
      return null;
    case 'context': {
      const parts = elements as unknown[];
      if (parts.length === 0 || parts.length > 10) return 'a context has 1 to 10 elements';
      return parts.map((part) => textObject(part, 2000)).find((fault) => fault !== null) ?? null;
    }
    case 'actions': {
      const parts = elements as Json[];
      if (parts.length === 0 || parts.length > 25) return 'actions have 1 to 25 elements';
      if (new Set(parts.map(({ action_id: id }) => id)).size < parts.length)
        return 'an action_id is there once in a block';
      return parts.map(element).find((fault) => fault !== null) ?? null;
    }
    case 'rich_text': {
      const parts = elements as unknown[];
      if (parts.length === 0) return 'rich text has a line';
      return parts.map(richElement).find((fault) => fault !== null) ?? null;
    }
    case 'input':
      return textObject(label, 2000) ?? element(input);
    default:
      return `a block ${String(type)} is not known here`;
  }
}

/** What is wrong with these blocks, or null. `most` of them are allowed. */
export function faultInBlocks(blocks: unknown, most: number): string | null {
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > most) return `1 to ${most} blocks`;
  return blocks.map(block).find((fault) => fault !== null) ?? null;
}

/** What is wrong with this view, or null. */
export function faultInView(view: unknown, type: 'modal' | 'home'): string | null {
  const { type: given, title, submit, close, private_metadata: metadata, blocks } = view as Json;
  if (given !== type) return `a view is a ${type}`;
  if (metadata !== undefined && (metadata as string).length > 3000)
    return 'private_metadata has at most 3000 characters';
  const hasInput = (blocks as Json[]).some((one) => one['type'] === 'input');
  if (hasInput && submit === undefined) return 'a view with input has submit';
  const titles = [
    ...(type === 'modal' ? [title] : []),
    ...[submit, close].filter((each) => each !== undefined),
  ];
  return (
    titles.map((each) => textObject(each, 24)).find((fault) => fault !== null) ?? faultInBlocks(blocks, 100)
  );
}
