// Serialises answers with the contract's schemas, so that no undeclared field goes out. Each schema is
// compiled once for all routes, when an answer first needs it: compiling all of them took a fifth of the time
// of a start.
import fastJson from 'fast-json-stringify';
import fp from 'fastify-plugin';
import type { TSchema } from 'typebox';

type Write = (value: unknown) => string;

/** By the JSON of the schema; the meaning of an `$id` does not change while the program runs. */
const compiled = new Map<string, Write>();

/** Serialises with schemas that may refer to the shared ones by their `$id`. */
export const serialization = fp<{ schemas: readonly TSchema[] }>(
  async (app, { schemas }) => {
    const byId = new Map(schemas.map((schema) => [(schema as { $id?: string }).$id ?? '', schema]));

    app.setSerializerCompiler<TSchema>(({ schema }) => {
      let write: Write | undefined;
      return (value) => (write ??= writeOf(schema, byId))(value);
    });
  },
  { name: 'serialization' },
);

function writeOf(schema: TSchema, shared: ReadonlyMap<string, TSchema>): Write {
  const text = JSON.stringify(schema);
  let write = compiled.get(text);
  if (write === undefined) {
    write = fastJson(schema as fastJson.Schema, { schema: referredTo(text, shared) });
    compiled.set(text, write);
  }
  return write;
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
