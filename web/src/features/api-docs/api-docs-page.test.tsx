// The documentation shows what the server says of itself, and nothing else.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';

const heading = (name: string) => screen.findByRole('heading', { name });

test('every section is there, filled from the document, and passes axe with a call open', async () => {
  const { user } = open('/api-docs', { signedIn: false });
  await heading('Endpoints');
  for (const name of [
    'API Documentation',
    'Quick Start',
    'Base URL',
    'Request Parameters',
    'Error Handling',
    'Rate Limiting',
  ])
    expect(screen.getByRole('heading', { name })).toBeTruthy();
  const main = screen.getByRole('main');
  expect(within(main).getByText('REST API v1')).toBeTruthy();
  expect(within(main).getByText('https://q.example.com/api/v1')).toBeTruthy();
  expect(within(main).getByRole('link', { name: 'Open Inbox' }).getAttribute('href')).toBe('/inbox');
  expect(within(main).getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/');
  expect(within(main).getByRole('link', { name: 'OpenAPI document' }).getAttribute('href')).toBe(
    '/api/v1/openapi.json',
  );
  expect(within(main).getByText(/100 requests per minute and 1,000 per hour/)).toBeTruthy();
  const statuses = screen.getByRole('table', { name: 'Statuses' });
  expect(within(statuses).getByRole('row', { name: '404 Not found - Task does not exist' })).toBeTruthy();
  expect(screen.getByRole('row', { name: 'UNAUTHORIZED 401 Sign in or send a valid API key.' })).toBeTruthy();
  expect(screen.getByText('1 to 10,080', { exact: false })).toBeTruthy();

  await user.click(screen.getByText('Create a task', { selector: 'summary *' }));
  expect(await screen.findByText('API key or access token')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'Task' })[0]?.getAttribute('href')).toBe('#shape-Task');
  await expectAccessible();
});

test('the filter narrows the endpoints down and says how many are left', async () => {
  const { user } = open('/api-docs');
  const field = await screen.findByRole('searchbox', { name: 'Filter endpoints' });
  await user.type(field, 'delete task');
  expect(screen.getByText('1 of 3 endpoints')).toBeTruthy();
  expect(screen.getByText('Acknowledge a task')).toBeTruthy();
  expect(screen.queryByText('The process answers')).toBeNull();
  await user.type(field, ' nonsense');
  expect(screen.getByText('No endpoint matches “delete task nonsense”')).toBeTruthy();
});

test('examples are in cURL first, in JavaScript and Python by arrow key; copying says so for a while', async () => {
  const { user } = open('/api-docs');
  const tab = await screen.findByRole('tab', { name: 'cURL' });
  expect(tab.getAttribute('aria-selected')).toBe('true');
  tab.focus();
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
  const panel = await screen.findByRole('tabpanel', { name: 'Python' });
  await user.click(within(panel).getByRole('button', { name: 'Copy: Create a task' }));
  expect(await within(panel).findByRole('button', { name: 'Copied' })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toContain('from urllib.request import Request, urlopen');
});

test('without the document it says so, and asks again when told to', async () => {
  const server = new FakeServer();
  server.replies.set('GET /openapi.json', () => refusal(503, 'SERVICE_UNAVAILABLE', 'Try again shortly.'));
  const { user } = open('/api-docs', { server });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('could not be loaded');
  server.replies.clear();
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await heading('Error Handling');
});

test('support is an e-mail away where the operator gave an address', async () => {
  const server = new FakeServer();
  server.replies.set('GET /config', () => ({
    status: 200,
    body: { success: true, config: { supportEmail: 'help@example.com', signIn: {} } },
  }));
  open('/api-docs', { server });
  const link = await screen.findByRole('link', { name: 'Contact support' });
  expect(link.getAttribute('href')).toBe('mailto:help@example.com');
});

test('without such an address the administrator is the one to ask', async () => {
  open('/api-docs');
  expect(await screen.findByText(/Ask the administrator of this server/)).toBeTruthy();
});
