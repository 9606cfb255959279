// What was made, with an answer that was lost on the way, is made once when it is asked for again.
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { FakeServer } from '../../test/fake-server.ts';
import { open } from '../../test/screen.tsx';

type User = ReturnType<typeof userEvent.setup>;

/** The server carries out the first call, and its answer does not arrive. */
function loseFirstAnswer(server: FakeServer, name: string, made: () => readonly object[]): void {
  server.replies.set(name, async ({ path, body }) => {
    server.replies.delete(name);
    const before = [...made()];
    await server.fetch(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
    const now = new Date().toISOString();
    for (const each of made())
      if (!before.includes(each))
        Object.assign(each, { created_at: now, updated_at: now, last_used_at: null });
    throw new TypeError('Failed to fetch');
  });
}

const press = async (user: User, name: string) => user.click(await screen.findByRole('button', { name }));
const type = async (user: User, field: string, text: string) =>
  user.type(await screen.findByRole('textbox', { name: field }), text);

interface Case {
  page: string;
  call: string;
  made: (server: FakeServer) => readonly { name: string }[];
  fill: (user: User) => Promise<void>;
  button: string;
  /** What is there in the end. */
  shown: () => Promise<unknown>;
}

test.each<[string, Case]>([
  [
    'an intake',
    {
      page: '/admin/intakes/new?adapter=webhook&preset=github',
      call: 'POST /intakes',
      made: ({ intakes }) => intakes.intakes,
      fill: async () => void (await screen.findByRole('textbox', { name: 'Name' })),
      button: 'Create intake',
      shown: () => screen.findByRole('heading', { level: 1, name: 'GitHub' }),
    },
  ],
  [
    'a webhook, of which the second secret is shown',
    {
      page: '/admin/webhooks',
      call: 'POST /webhooks',
      made: ({ webhooks }) => webhooks.list,
      fill: async (user) => {
        await press(user, 'Add webhook');
        await type(user, 'Name', 'Bot');
        await type(user, 'Address', 'https://h.example.com/q');
      },
      button: 'Add',
      shown: () => screen.findByText('whsec_first2'),
    },
  ],
  [
    'an escalation',
    {
      page: '/admin/escalation',
      call: 'POST /escalations',
      made: ({ escalations }) => escalations.list,
      fill: async () => void (await screen.findByRole('region', { name: 'A good first one' })),
      button: 'Use this one',
      shown: () => screen.findByRole('list', { name: 'Escalations' }),
    },
  ],
  [
    'an API key, of which the second text is shown',
    {
      page: '/admin',
      call: 'POST /auth/api-keys',
      made: ({ apiKeys }) => apiKeys,
      fill: (user) => type(user, 'Name of a new key', 'laptop'),
      button: 'Create',
      shown: () => screen.findByRole('region', { name: 'New API key' }),
    },
  ],
])('%s', async (_what, { page, call, made, fill, button, shown }) => {
  const server = new FakeServer();
  loseFirstAnswer(server, call, () => made(server));
  const { user } = open(page, { server });
  await fill(user);
  await press(user, button);
  await screen.findByRole('alert');
  expect(made(server)).toHaveLength(1);
  await press(user, button);
  await shown();
  expect(server.called(call)).toHaveLength(3);
  expect(made(server)).toHaveLength(1);
});

test('what somebody has used or made before stays', async () => {
  const server = new FakeServer();
  const call = 'POST /auth/api-keys';
  const { user } = open('/admin', { server });
  await type(user, 'Name of a new key', 'laptop{Enter}');
  await screen.findByRole('region', { name: 'New API key' });
  loseFirstAnswer(server, call, () => server.apiKeys);
  await type(user, 'Name of a new key', 'laptop{Enter}');
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText(/the new one takes its place/)).toBeTruthy();
  const list = within(screen.getByRole('list', { name: 'Active API keys' }));
  await waitFor(() => expect(list.getAllByText('laptop')).toHaveLength(2));
  Object.assign(server.apiKeys[0] ?? {}, { last_used_at: new Date().toISOString() });
  await press(user, 'Create');
  await waitFor(() => expect(server.apiKeys).toHaveLength(3));
});
