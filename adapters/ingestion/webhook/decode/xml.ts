// Reads XML into plain fields: only XML's own entities, no document types, bounded before it is built.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { broken, tooMuch, type Decoded } from './unreadable.ts';

const MAX_DEPTH = 64;
/** Tags, attributes and character references that are read, each. */
const MAX_MARKS = 5000;
/** The parser walks over every character, so the text is bounded: half a mebibyte of UTF-16 code units. */
const MAX_CHARACTERS = 512 * 1024;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
  textNodeName: 'text',
  tagValueProcessor: (_name, value) => decoded(value),
  attributeValueProcessor: (_name, value) => decoded(value),
});

/** The document as an object: elements and attributes by name, repeated ones as lists, all values texts. */
export function readXml(text: string): Decoded {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return broken('The XML has a document type declaration, which is not read here. Send it without.');
  }
  if (['<', '=', '&'].some((mark) => isOver(text, mark)))
    return tooMuch(`over ${MAX_MARKS} tags or attributes`);
  if (text.length > MAX_CHARACTERS) return tooMuch('over 512 KiB of XML');
  try {
    // Long runs of white space mean nothing, and cost the parser time.
    const dense = text.replace(/\s{100,}/g, ' ');
    const valid = XMLValidator.validate(dense, { allowBooleanAttributes: true });
    if (valid !== true) {
      return broken(`The body is not XML: something is wrong at line ${valid.err.line}.`);
    }
    return { ok: true, value: parser.parse(dense) as unknown };
  } catch {
    return broken(
      `The body is not XML that is read here: at most ${MAX_DEPTH} levels, without entities and reserved names.`,
    );
  }
}

function isOver(text: string, mark: string): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1 && count <= MAX_MARKS; at = text.indexOf(mark, at + 1)) count++;
  return count > MAX_MARKS;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (all: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : ' ';
    },
  );
}
