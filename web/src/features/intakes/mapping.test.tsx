import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { anIntake, aPreview } from '../../../test/intakes.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
  server.intakes.preview = aPreview({
    tasks: [
      {
        content: 'o/r was pushed to',
        priority: 'high',
        tags: ['ci'],
        expiryMinutes: 60,
        metadata: { url: 'https://example.com/1' },
        dedupeKey: 'k1',
      },
    ],
  });
});

const previews = () => server.called('POST /intakes/in_m/preview').map(({ body }) => body);
const content = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Content' });
const result = () => within(screen.getByRole('region', { name: 'Preview' }));

async function openMapping(mapping: Parameters<typeof anIntake>[0] = {}) {
  server.intakes.intakes = [anIntake({ id: 'in_m', ...mapping })];
  const page = open('/admin/intakes/in_m?tab=mapping', { server });
  await screen.findByRole('heading', { name: 'Mapping' });
  return page;
}

test('a mapping is begun from the preset, previewed as it is typed, takes values by click, and is saved', async () => {
  const { user } = await openMapping();
  await screen.findByText('o/r was pushed to');
  expect(previews()).toEqual([{ preset: 'github', mapping: null }]);
  await user.click(screen.getByRole('button', { name: 'Write your own' }));
  expect(document.activeElement).toBe(await content());
  await user.keyboard('Push to ');
  await user.click(screen.getByRole('button', { name: /^Insert repository\.full-name/ }));
  expect(await content()).toHaveProperty('value', 'Push to {{ repository.full-name }}');
  await user.type(screen.getByRole('textbox', { name: 'Tags' }), 'ci,');
  await user.click(screen.getByRole('button', { name: /^Insert ref/ }));
  await waitFor(() =>
    expect(previews().at(-1)).toEqual({
      preset: 'github',
      mapping: { content: 'Push to {{ repository.full-name }}', tags: 'ci,{{ ref }}' },
    }),
  );
  for (const text of ['#ci', '↗ https://example.com/1', 'lives 1 hour', 'k1'])
    expect(result().getByText(text)).toBeTruthy();
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: 'Save mapping' }));
  await waitFor(() =>
    expect(server.intakes.intakes[0]?.mapping).toEqual({
      content: 'Push to {{ repository.full-name }}',
      tags: 'ci,{{ ref }}',
    }),
  );
});

test('a template that is wrong says where at its field, cannot be saved, and values can still be picked', async () => {
  const { user } = await openMapping({ mapping: { content: 'old' } });
  await screen.findByText('o/r was pushed to');
  server.replies.set('POST /intakes/in_m/preview', () => ({
    status: 400,
    body: {
      success: false,
      error: 'no',
      code: 'VALIDATION_ERROR',
      requestId: 'r',
      details: [{ field: 'mapping/content', message: 'Line 2, column 1: A tag is not closed.' }],
    },
  }));
  await user.type(await content(), '{Enter}broken');
  expect((await screen.findByRole('alert')).textContent).toBe('Line 2, column 1: A tag is not closed.');
  expect(screen.getByRole('button', { name: 'Save mapping' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: /^Insert ref/ })).toBeTruthy();
});

test('a preview that fails for another reason comes by itself later, and keeps nobody from saving', async () => {
  const { user } = await openMapping({ mapping: { content: 'old' } });
  await screen.findByText('o/r was pushed to');
  const busy = refusal(503, 'SERVICE_UNAVAILABLE', 'The server is busy.');
  server.replies.set('POST /intakes/in_m/preview', () => ({ ...busy, headers: { 'retry-after': '1' } }));
  await user.type(await content(), ' and new');
  await result().findByText(/The server is busy/);
  server.replies.delete('POST /intakes/in_m/preview');
  await user.click(screen.getByRole('button', { name: 'Save mapping' }));
  await waitFor(() => expect(server.intakes.intakes[0]?.mapping).toEqual({ content: 'old and new' }));
  await waitFor(() => expect(result().queryByText(/The server is busy/)).toBeNull(), { timeout: 5000 });
});

test('a payload that is pasted is read as JSON, else as text', async () => {
  const { user } = await openMapping();
  await screen.findByText('o/r was pushed to');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Try it on' }), 'A payload that I paste');
  const field = screen.getByRole('textbox', { name: 'Payload' });
  await user.click(field);
  await user.paste('{"a":1}');
  await waitFor(() => expect(previews().at(-1)).toMatchObject({ payload: { a: 1 } }));
  await user.clear(field);
  await user.paste('a = 1');
  await waitFor(() =>
    expect(previews().at(-1)).toMatchObject({ payload: 'a = 1', contentType: 'text/plain' }),
  );
});

test('the preset comes back after a question', async () => {
  const { user } = await openMapping({ mapping: { content: 'old' } });
  await user.click(await screen.findByRole('button', { name: 'Back to the preset' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Back to the preset' }));
  await user.click(question.getByRole('button', { name: 'Remove the mapping' }));
  await screen.findByRole('button', { name: 'Write your own' });
  expect(server.called('PATCH /intakes/in_m')[0]?.body).toEqual({ mapping: null });
});
