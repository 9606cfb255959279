// Writes answers with the contract's own schemas, so that nothing undeclared goes out. Each schema is compiled once, however many
// routes and statuses answer with it: compiling them all anew took most of the time of a start.
import fastJson from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';

type Write = (value: unknown) => string;

/** By the JSON of the schema; what a shared name stands for never changes while the program runs. */
const compiled = new Map<string, Write>();

/** Makes `app` serialise with schemas that may refer to the shared ones by their `$id`. */
export function useContractSerialization(app: FastifyInstance, shared: readonly TSchema[]): void {
  const byId = new Map(shared.map((schema) => [(schema as { $id?: string }).$id ?? '', schema]));

  app.setSerializerCompiler<TSchema>(({ schema }) => {
    const text = JSON.stringify(schema);
    let write = compiled.get(text);
    if (write === undefined) {
      write = fastJson(schema as fastJson.Schema, { schema: referredTo(text, byId) });
      compiled.set(text, write);
    }
    return write;
  });
}

/** The shared schemas that a schema refers to, and those that these refer to. */
function referredTo(text: string, shared: ReadonlyMap<string, TSchema>): Record<string, fastJson.Schema> {
  const found: Record<string, fastJson.Schema> = {};
  const pending = [text];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const [, id = ''] of next.matchAll(/"\$ref":"([^"#]+)#/g)) {
      const schema = shared.get(id);
      if (schema === undefined || Object.hasOwn(found, id)) continue;
      found[id] = schema as fastJson.Schema;
      pending.push(JSON.stringify(schema));
    }
  return found;
}
