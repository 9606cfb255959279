// The routes, each its own chunk. The chunk of the page's own route is asked for before React starts.
import { lazy, useState, type ComponentType } from 'react';
import type { SCREENS } from '#core/contract/screens.ts';
import type { GuardRule } from './guard.tsx';
import { inSettings } from './settings-section.tsx';

function page(load: () => Promise<{ default: ComponentType }>, guard: GuardRule = { requireAuth: false }) {
  const Later = lazy(load);
  let Ready: ComponentType | undefined;
  // A loaded screen is drawn at once, without an empty moment. Chosen once: another component type would
  // start the screen anew.
  function Page() {
    const [Screen] = useState(() => Ready ?? Later);
    return <Screen />;
  }
  async function loadPage(): Promise<void> {
    Ready = (await load()).default;
  }
  return { load: loadPage, Component: Page, guard };
}

const PEOPLE: GuardRule = { methods: ['jwt'] };
const ADMINISTRATORS: GuardRule = { methods: ['jwt'], requireAdmin: true };

export const PAGES = {
  '/': page(() => import('../features/landing/screen/landing-page.tsx')),
  '/inbox': page(() => import('../features/inbox/screen/inbox-page.tsx')),
  '/admin': page(
    inSettings('Settings', () => import('../features/settings/screen/account-section.tsx')),
    { requireAuth: false },
  ),
  '/admin/appearance': page(
    inSettings('Appearance', () => import('../features/settings/screen/appearance-section.tsx')),
  ),
  '/admin/notifications': page(
    inSettings('Notifications', () => import('../features/settings/screen/notifications-section.tsx')),
  ),
  '/admin/keyboard': page(
    inSettings('Keyboard', () => import('../features/settings/screen/keyboard-section.tsx')),
  ),
  '/admin/escalation': page(
    inSettings('Escalation', () => import('../features/escalation/screen/escalation-section.tsx')),
    PEOPLE,
  ),
  '/admin/webhooks': page(
    inSettings('Webhooks', () => import('../features/webhooks/screen/webhooks-section.tsx')),
    PEOPLE,
  ),
  '/admin/slack': page(
    inSettings('Slack', () => import('../features/slack/screen/slack-section.tsx')),
    PEOPLE,
  ),
  '/admin/users': page(
    inSettings('Users', () => import('../features/admin/screen/users-section.tsx')),
    ADMINISTRATORS,
  ),
  '/admin/system': page(
    inSettings('System', () => import('../features/admin/screen/system-section.tsx')),
    ADMINISTRATORS,
  ),
  '/admin/intakes': page(() => import('../features/intakes/screen/intakes-page.tsx')),
  '/admin/intakes/new': page(() => import('../features/intakes/screen/new-intake-page.tsx'), PEOPLE),
  '/admin/intakes/:id': page(() => import('../features/intakes/screen/intake-page.tsx'), PEOPLE),
  '/api-docs': page(() => import('../features/api-docs/screen/api-docs-page.tsx')),
} satisfies Record<(typeof SCREENS)[number], unknown>;

export const NOT_FOUND = page(() => import('./not-found-page.tsx'));

/** Loads the chunk of a path. A failure shows when the page is drawn. */
export function preload(path: string): Promise<void> {
  const known = Object.entries(PAGES).find(([route]) => fits(route, path))?.[1] ?? NOT_FOUND;
  return known.load().catch(() => undefined);
}

// `:id` stands for any one part of a path.
function fits(route: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = route.split('/');
  return (
    wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}
