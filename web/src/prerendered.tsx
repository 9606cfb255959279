// Draws the screens that need no session at build time, for pages of their own; React takes their place
// without moving anything. No style attributes: the security policy allows none.
import { LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { HeaderFrame } from './app/header-frame.tsx';
import { USER_MENU, UserMenuFace } from './app/user-menu-face.tsx';
import { ApiDocs } from './features/api-docs/screen/api-docs.tsx';
import { InboxShell } from './features/inbox/parts/skeleton.tsx';
import { Landing } from './features/landing/screen/landing.tsx';
import { Button } from './ui/button.tsx';

/** Stands in the copyable commands until the page knows where it was served from. */
const ANY_ORIGIN = 'http://localhost:3000';

export const drawLanding = () => draw('/', <Landing origin={ANY_ORIGIN} />);

/** As far as it goes without the server's description. */
export const drawApiDocs = () =>
  draw(
    '/api-docs',
    <ApiDocs
      origin={ANY_ORIGIN}
      description={undefined}
      failed={false}
      onRetry={() => undefined}
      canMakeKeys={false}
      supportEmail={undefined}
    />,
  );

const SIGN_IN = (
  <Button>
    <LogIn size={16} aria-hidden />
    Sign In
  </Button>
);

/**
 * Keeps the place of what depends on who is signed in: on a phone, the navigation stands at it. As wide as
 * the live state and the user menu, or as the button for strangers.
 */
const SESSION_PLACE = (
  <div aria-hidden className="invisible contents sm:hidden">
    <span className="w-7 [html:not([data-known])_&]:hidden" />
    <span className={`${USER_MENU} [html:not([data-known])_&]:hidden`}>
      <UserMenuFace label="" />
    </span>
    <span className="[[data-known]_&]:hidden">{SIGN_IN}</span>
  </div>
);

/** Without what depends on who is signed in. */
export const drawInbox = () => draw('/inbox', <InboxShell />, SESSION_PLACE);

function draw(path: string, screen: ReactNode, session: ReactNode = SIGN_IN): string {
  return renderToStaticMarkup(
    <Router ssrPath={path}>
      <HeaderFrame>{session}</HeaderFrame>
      {screen}
    </Router>,
  );
}
