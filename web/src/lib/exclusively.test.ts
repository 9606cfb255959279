import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
  Reflect.deleteProperty(navigator, 'locks');
});

async function withLocks(request: (name: string, work: () => Promise<unknown>) => Promise<unknown>) {
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  return (await import('./exclusively.ts')).exclusively;
}

test('work is done where a browser that keeps nothing refuses the lock', async () => {
  const refused = new DOMException('The request was denied.', 'SecurityError');
  const exclusively = await withLocks(() => Promise.reject(refused));
  expect(await exclusively('sending', () => Promise.resolve('sent'))).toBe('sent');
});

test('work that fails under the lock is not done again', async () => {
  const exclusively = await withLocks((_name, work) => work());
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('503')));
  await expect(exclusively('sending', work)).rejects.toThrow('503');
  expect(work).toHaveBeenCalledOnce();
});
