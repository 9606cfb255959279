// What the components of a message say: texts in their order, the pages that buttons open, and the colours
// of containers. https://docs.discord.com/developers/components/reference
import { field, items, line, link, number, raw } from '../read.ts';

export interface Components {
  /** In Discord's Markdown. */
  texts: string[];
  links: string[];
  /** 0xRRGGBB; null for none. */
  colours: (number | null)[];
}

const TEXT_DISPLAY = 10;
const CONTAINER = 17;
/** Of Discord: 40 in a message. A container holds sections, and those texts. */
const MAX_COMPONENTS = 60;
const MAX_DEPTH = 5;

/** Reads any JSON and throws nothing. */
export function componentsOf(message: unknown): Components {
  const found: Components = { texts: [], links: [], colours: [] };
  let left = MAX_COMPONENTS;
  const visit = (component: unknown, depth: number): void => {
    if (left-- <= 0 || depth > MAX_DEPTH) return;
    const type = number(component, 'type');
    if (type === TEXT_DISPLAY) found.texts.push(raw(component, 'content'));
    if (type === CONTAINER) found.colours.push(number(component, 'accent_color'));
    // Pictures have a description for those who do not see them.
    for (const media of [component, ...items(component, 'items').slice(0, 10)])
      found.texts.push(line(media, 'description', 300));
    found.links.push(link(component, 'url'));
    for (const inner of items(component, 'components')) visit(inner, depth + 1);
    const accessory = field(component, 'accessory');
    if (accessory !== undefined) visit(accessory, depth + 1);
  };
  for (const component of items(message, 'components')) visit(component, 0);
  return found;
}
