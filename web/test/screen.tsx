// Draws the whole application at an address, in front of a fake server, signed in or not.
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, vi } from 'vitest';
import { App } from '../src/app/app.tsx';
import { queries } from '../src/lib/queries.ts';
import { session } from '../src/lib/services.ts';
import { dropFetched } from '../src/lib/use-fetched-once.ts';
import { FakeServer } from './fake-server.ts';
import type { User } from '#core/contract/index.ts';
import { aUser } from './tasks.ts';

interface Options {
  server?: FakeServer;
  /** By a token session, or by this API key. */
  signedIn?: boolean | { apiKey: string };
  as?: User;
  /** Guests may read. */
  publicQueue?: boolean;
  /** As the last page has left it: a page of the same browser that is opened anew. */
  reopened?: boolean;
}

export function open(
  path: string,
  {
    server = new FakeServer(),
    signedIn = true,
    as = aUser,
    publicQueue = false,
    reopened = false,
  }: Options = {},
) {
  vi.stubGlobal('fetch', server.fetch);
  server.guest = !signedIn && !publicQueue;
  history.replaceState(null, '', path);
  if (!reopened) session.clear();
  if (reopened) session.reload();
  else if (signedIn === true) session.storeTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' }, as);
  else if (signedIn !== false)
    session.storeApiKey(signedIn.apiKey, {
      id: 'api-user',
      type: 'integration',
      method: 'api_key',
      scopes: ['read', 'write'],
    });
  queries.clear();
  dropFetched();
  const user = userEvent.setup();
  return { server, user, ...render(<App />) };
}

/** The inbox with all its code, not only the first list. */
export const wholeInbox = () => screen.findByRole('group', { name: 'List' });

/** Colours need a real browser; everything else of WCAG 2.2 A and AA that can be checked by machine is. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'color-contrast': { enabled: false } },
    resultTypes: ['violations'],
    preload: false,
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}
