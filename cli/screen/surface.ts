// The terminal while the inbox is on it: its second screen, keys as they are typed, and only lines that
// changed are written. It is as before when the program ends, however it ends, but for SIGKILL.
import { writeSync } from 'node:fs';
import { listenToKeys, type KeyListener } from './keys.ts';
import type { Drawn, Size } from './draw.ts';
import { rendered } from './lines.ts';

const ESC = '\u001b';
// xterm's control sequences: second screen, bracketed paste, no cursor, and the other way round.
const ENTER = `${ESC}[?1049h${ESC}[?2004h${ESC}[?25l${ESC}[2J`;
const LEAVE = `${ESC}[?2004l${ESC}[?25h${ESC}[?1049l`;
/** What is written between these is shown at once, where the terminal knows them. */
const [BEGIN, END] = [`${ESC}[?2026h`, `${ESC}[?2026l`];
const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };
/**
 * A shell that ends a stopped job also continues it, in the background, where to take the terminal would stop
 * it for good. The signals of both come at about the same time, in any order.
 */
const RESUME_AFTER_MS = 50;

export interface SurfaceListener extends KeyListener {
  /** Everything has to be drawn again. */
  redraw: () => void;
}

export interface Surface {
  listen: (listener: SurfaceListener) => void;
  size: () => Size;
  show: (drawn: Drawn) => void;
  /** Writes every line again. */
  clear: () => void;
  /** Gives the terminal back to the shell; it goes on when the shell says so (`fg`). */
  suspend: () => void;
  close: () => void;
}

export function openSurface(): Surface {
  const { stdin, stdout } = process;
  let seen: string[] = [];
  let seenPlace = '';
  let isOpen = false;
  let listener: SurfaceListener | null = null;
  let stopKeys = (): void => undefined;

  const size = (): Size => ({
    columns: stdout.columns || DEFAULT_SIZE.columns,
    rows: stdout.rows || DEFAULT_SIZE.rows,
  });

  function open(): void {
    isOpen = true;
    stdin.setRawMode(true);
    if (listener !== null) stopKeys = listenToKeys(stdin, listener);
    stdout.write(ENTER);
    seen = [];
  }

  function leave(): void {
    if (!isOpen) return;
    isOpen = false;
    stopKeys();
    try {
      // At once: the program may be about to end.
      writeSync(stdout.fd, LEAVE);
      stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  }

  function resized(): void {
    seen = [];
    if (isOpen) stdout.write(`${ESC}[2J`);
    listener?.redraw();
  }

  let resuming: NodeJS.Timeout | undefined;
  function resume(): void {
    clearTimeout(resuming);
    resuming = setTimeout(() => {
      if (!isOpen) open();
      listener?.redraw();
    }, RESUME_AFTER_MS);
  }

  open();
  stdout.on('resize', resized);
  process.on('SIGCONT', resume);
  process.on('exit', leave);
  return {
    listen(given) {
      listener = given;
      stopKeys = listenToKeys(stdin, given);
    },
    size,
    show({ lines, cursor }) {
      if (!isOpen) return;
      const { columns } = size();
      const now = lines.map((line) => rendered(line, columns, stdout));
      const changed = now.flatMap((text, row) =>
        text === seen[row] ? [] : [`${ESC}[${row + 1};1H${text}${ESC}[0m${ESC}[K`],
      );
      const place =
        cursor === null ? `${ESC}[?25l` : `${ESC}[${cursor.row + 1};${cursor.column + 1}H${ESC}[?25h`;
      if (changed.length > 0 || place !== seenPlace)
        stdout.write(`${BEGIN}${changed.join('')}${place}${END}`);
      seen = now;
      seenPlace = place;
    },
    clear: resized,
    suspend() {
      leave();
      // The whole group, as a terminal does at Ctrl-Z: what started this program stops as well.
      process.kill(0, 'SIGTSTP');
    },
    close() {
      clearTimeout(resuming);
      leave();
      stdout.off('resize', resized);
      process.off('SIGCONT', resume);
      process.off('exit', leave);
    },
  };
}
