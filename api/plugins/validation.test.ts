// Faults in long lists of a body: named with their place, by the compiled check and not by what is slow.
import Fastify from 'fastify';
import { Type } from 'typebox';
import { expect, it, onTestFinished, vi } from 'vitest';
import { errorBodies } from './errors.ts';
import { validation, validatorOf } from './validation.ts';

const schema = Type.Object({
  name: Type.String(),
  tasks: Type.Array(Type.Object({ content: Type.String({ minLength: 1 }), pinned: Type.Boolean() })),
  ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1500 })),
});
const good = { content: 'x', pinned: false };

async function faultsOf(body: object): Promise<unknown> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(errorBodies, { outages: { failed: () => {} } as never });
  await app.register(validation);
  const compile = app.validatorCompiler as (route: object) => (input: unknown) => {
    error?: { details?: unknown };
  };
  return compile({ schema })(body).error?.details;
}

it('names what is wrong in a long list, without walking through all of it by what names faults', async () => {
  const errors = vi.spyOn(validatorOf(schema), 'Errors');
  const tasks = Array.from({ length: 3000 }, () => good);
  expect(await faultsOf({ name: 'x', tasks })).toBeUndefined();
  const wrong = tasks.with(2000, { ...good, content: '' }).with(2999, { content: 'x' } as never);
  expect(await faultsOf({ tasks: wrong })).toEqual([
    { field: 'name', message: 'is required' },
    { field: 'tasks/2000/content', message: 'must not be empty' },
    { field: 'tasks/2999/pinned', message: 'is required' },
  ]);
  expect(errors.mock.calls).toEqual([[{ tasks: [] }]]);
});

it('says when a long list is too long, and names a short list as ever', async () => {
  const ids = Array.from({ length: 1501 }, () => 'x');
  expect(await faultsOf({ name: 'x', tasks: [{ pinned: true }], ids })).toEqual([
    { field: 'tasks/0/content', message: 'is required' },
    { field: 'ids', message: 'must hold at most 1500' },
  ]);
});
