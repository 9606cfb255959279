// The routes, each its own chunk. The chunk of the page's own route is asked for before React starts.
import { lazy, type ComponentType } from 'react';

function page(load: () => Promise<{ default: ComponentType }>) {
  return { load, Component: lazy(load) };
}

export const PAGES = {
  '/': page(() => import('../features/landing/landing-page.tsx')),
  '/inbox': page(() => import('../features/inbox/inbox-page.tsx')),
  '/admin': page(() => import('../features/settings/settings-page.tsx')),
  '/api-docs': page(() => import('../features/api-docs/api-docs-page.tsx')),
};

export const NOT_FOUND = page(() => import('./not-found-page.tsx'));

/** Starts loading the chunk of a path; what goes wrong shows when it is drawn. */
export function preload(path: string): void {
  const known = Object.entries(PAGES).find(([route]) => route === path)?.[1] ?? NOT_FOUND;
  known.load().catch(() => undefined);
}
