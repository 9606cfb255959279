import { expect, it } from 'vitest';
import { editUntilStored } from './edits.ts';

it('makes an edit again that others have overtaken, ten times in all', async () => {
  const overtaken = (times: number) => {
    let made = 0;
    return editUntilStored('this list', async () => (++made > times ? made : null));
  };
  expect(await overtaken(0)).toBe(1);
  expect(await overtaken(9)).toBe(10);
  await expect(overtaken(10)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Others change this list at the same time. Try again.',
  });
});
