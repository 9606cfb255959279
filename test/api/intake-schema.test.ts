// The document and the server take the same bodies for intakes. What depends on the adapter (its presets,
// schemes and settings) no schema can say; everything else, null and blank above all, is in both or in
// neither.
import { expect, it } from 'vitest';
import { Compile } from 'typebox/compile';
import { createTestApp } from '#test/helpers/app.ts';

type Schemas = Record<string, object>;
interface Document {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: object }> } }>>;
  components: { schemas: Schemas };
}

const EDITS: readonly object[] = [
  { mapping: null },
  { mapping: {} },
  { mapping: { content: '' } },
  { mapping: { content: ' ' } },
  { mapping: { content: 'a', tags: null } },
  { mapping: { content: 'a', priority: '', tags: '', url: '', dedupeKey: '', filter: '', resolved: '' } },
  { mapping: { content: 'a', script: 'b' } },
  { preset: null },
  { preset: '' },
  { hourlyCap: null },
  { hourlyCap: 0 },
  { hourlyCap: '1' },
  { settings: {} },
  { settings: null },
  { events: [] },
  { events: [''] },
  { events: null },
  { defaults: {} },
  { defaults: null },
  { defaults: { priority: null } },
  { defaults: { tags: [''] } },
  { defaults: { expiryMinutes: 0 } },
  { reopens: null },
  { verification: null },
  { verification: { scheme: '' } },
  { verification: { scheme: null } },
  { name: '' },
  { name: ' ' },
  { name: '😀'.repeat(100) },
  { name: 'x'.repeat(101) },
  { name: null },
  { unknown: 1 },
];
const ONLY_EDITS: readonly object[] = [
  {},
  { verification: {} },
  { secretGraceMinutes: 0 },
  { secretGraceMinutes: -1 },
  { secretGraceMinutes: null },
  { paused: null },
  { adapter: 'webhook' },
];
const PREVIEWS: readonly unknown[] = [
  {},
  null,
  [],
  { mapping: null },
  { mapping: { content: ' ' } },
  { preset: null },
  { preset: '' },
  { payload: null },
  { payload: 5 },
  { payload: '' },
  { payload: '', contentType: '' },
  { payload: 'x', contentType: 'image/png' },
  { payload: {}, mapping: null, preset: null },
  { headers: {} },
  { headers: { '': '' } },
  { headers: { a: 1 } },
  { headers: null },
  { deliveryId: '' },
  { deliveryId: null },
];

it('takes and refuses of an intake what its document does', async () => {
  const app = await createTestApp();
  const { accessToken: token } = await app.session();
  const { paths, components } = app.app.swagger() as unknown as Document;
  const base = { name: 'x', adapter: 'webhook', verification: { scheme: 'none' } };
  const made = await app.call('POST', '/intakes', { token, body: base });
  const { id } = made.body['intake'] as { id: string };
  const calls = [
    ...EDITS.map((fields) => ['POST', '/intakes', { ...base, ...fields }] as const),
    ...[...EDITS, ...ONLY_EDITS].map((fields) => ['PATCH', '/intakes/{id}', fields] as const),
    ...PREVIEWS.map((body) => ['POST', '/intakes/{id}/preview', body] as const),
    ...[{ graceMinutes: 0 }, {}, { graceMinutes: null }].map(
      (body) => ['POST', '/intakes/{id}/rotate', body] as const,
    ),
  ];
  const different: string[] = [];
  for (const [method, path, body] of calls) {
    const content = paths[`/api/v1${path}`]?.[method.toLowerCase()]?.requestBody.content;
    const schema = content?.['application/json']?.schema ?? {};
    const allowed = Compile(resolved(schema, components.schemas) as never).Check(body);
    const { status } = await app.call(method, path.replace('{id}', id), {
      token,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    if (status < 300 !== allowed) different.push(`${method} ${path} ${JSON.stringify(body)}: ${status}`);
  }
  expect(different).toEqual([]);
});

function resolved(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = (schema as { $ref?: string }).$ref;
  if (reference !== undefined) return resolved(schemas[reference.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, resolved(inner, schemas)]));
}
