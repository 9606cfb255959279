// The last lines of what a command prints, in little memory whatever it prints.
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { printable } from './printable.ts';

const MAX_LINES = 20;
const MAX_LINE_CHARACTERS = 400;
/** Of a line without an end, so many characters are held. */
const MAX_HELD_CHARACTERS = 16_384;

/** Reads several streams at once; a line counts when it ends. */
export function createTail() {
  const last: string[] = [];

  function add(line: string): void {
    last.push(clean(line));
    if (last.length > MAX_LINES) last.shift();
  }

  return {
    /** One stream of bytes in UTF-8. */
    reader() {
      const decoder = new StringDecoder('utf8');
      let rest = '';
      return {
        write(chunk: Buffer): void {
          const lines = `${rest}${decoder.write(chunk)}`.split('\n');
          rest = (lines.pop() ?? '').slice(-MAX_HELD_CHARACTERS);
          for (const line of lines.slice(-MAX_LINES)) add(line);
        },
        end(): void {
          const line = rest + decoder.end();
          rest = '';
          if (line !== '') add(line);
        },
      };
    },
    lines: (): string[] => [...last],
  };
}

/** As it stood on a terminal in the end: without colours, and of a progress bar its last state. */
function clean(line: string): string {
  const shown = line.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  const characters = Array.from(printable(stripVTControlCharacters(shown).replaceAll('\t', '    ')));
  if (characters.length <= MAX_LINE_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MAX_LINE_CHARACTERS - 1).join('')}…`;
}
