// What is typed at a terminal, as named keys: `e`, `Enter`, `Ctrl-C`. Pasted text comes as one piece, so that
// it never acts as keys.
import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import type { ReadStream } from 'node:tty';

/** How long after an escape character the rest of a key may come. */
const ESCAPE_TIMEOUT_MS = 50;

const NAMES: Readonly<Record<string, string>> = {
  return: 'Enter',
  enter: 'Enter',
  escape: 'Esc',
  backspace: 'Backspace',
  delete: 'Delete',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  space: 'Space',
};

export interface KeyListener {
  key: (name: string, text: string) => void;
  pasted: (text: string) => void;
}

/** Listens until the answer is called. */
export function listenToKeys(stdin: ReadStream, listener: KeyListener): () => void {
  let pasted: string | null = null;
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasted = '';
    else if (key.name === 'paste-end') {
      if (pasted !== null) listener.pasted(pasted);
      pasted = null;
    } else if (pasted !== null) pasted += text ?? key.sequence ?? '';
    else {
      const name = nameOf(text, key);
      if (name !== null) listener.key(name, typedText(text, key));
    }
  };
  emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as Partial<Interface> as Interface);
  stdin.on('keypress', onKey);
  stdin.resume();
  return () => {
    stdin.off('keypress', onKey);
    stdin.pause();
  };
}

function nameOf(text: string | undefined, { name, ctrl, meta }: Key): string | null {
  // Alt and a key is none of these keys.
  if (meta === true && name !== 'escape') return null;
  if (ctrl === true) return name === undefined ? null : `Ctrl-${name.toUpperCase()}`;
  return (name === undefined ? undefined : NAMES[name]) ?? text ?? null;
}

function typedText(text: string | undefined, { ctrl, meta }: Key): string {
  // oxlint-disable-next-line no-control-regex -- no control character is text
  return ctrl === true || meta === true || text === undefined || /[\u0000-\u001f\u007f]/.test(text)
    ? ''
    : text;
}
