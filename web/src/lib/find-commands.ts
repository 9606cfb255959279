// Looks for commands of the palette by what is typed.
import type { Command } from './palette-commands.ts';

/** The commands whose label, group or words contain every typed word; labels that begin with it first. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...commands];
  const start = wanted.join(' ');
  const found = commands.filter(({ label, group, words = '' }) => {
    const text = `${label} ${group} ${words}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const rank = ({ label }: Command) =>
    label.toLowerCase().startsWith(start) ? 0 : label.toLowerCase().includes(start) ? 1 : 2;
  return found.toSorted((a, b) => rank(a) - rank(b));
}
