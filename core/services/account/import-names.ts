// What an account calls the intakes and webhooks of a file, and which of them it does not get.
import { QinboxError } from '#core/errors.ts';

export type ImportNames = ReturnType<typeof createImportNames>;

export function createImportNames() {
  const ids = new Map<string, string>();
  /** Their names, by the ids that they have in the file. */
  const leftOut = new Map<string, string>();

  return {
    /** The thing that the file calls `before` is `id` here. */
    set(before: string, id: string): void {
      ids.set(before, id);
      leftOut.delete(before);
    },
    leave(before: string, name: string): void {
      ids.delete(before);
      leftOut.set(before, name);
    },
    /** The id here; what the file does not have keeps its id. */
    idOf: (before: string): string => ids.get(before) ?? before,
    /** A text that names things of the file, with what they are called here. */
    renamed(text: string): string {
      let after = text;
      for (const [before, id] of ids) after = after.replaceAll(before, id);
      return after;
    },
    /** Throws CONFLICT for a part about a thing that was left out: it would match nothing, for ever. */
    requireTaken(part: unknown): void {
      const text = JSON.stringify(part);
      for (const [id, name] of leftOut)
        if (text.includes(id))
          throw new QinboxError(
            'CONFLICT',
            `It is about “${name}”, which was left out. Once that is there, import the file again.`,
          );
    },
  };
}
