// Texts that come from outside, such that they cannot command the terminal they are printed on.

/** Controls, and changes of direction, by which a text looks like another one. */
// oxlint-disable-next-line no-control-regex -- the control characters are what is taken out
const COMMANDING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** In one line, each control replaced. */
export function printable(text: string): string {
  return text.replace(COMMANDING, '\uFFFD');
}

/** Lines of text, or JSON, which stays the same value: only their line ends and tabs are obeyed. */
export function escaped(text: string): string {
  return text.replace(COMMANDING, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
