// Draws the landing page at build time, for landing.html; React takes its place without moving anything. No
// style attributes: the security policy allows none.
import { LogIn } from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { HeaderFrame } from './app/header-frame.tsx';
import { Landing } from './features/landing/screen/landing.tsx';
import { Button } from './ui/button.tsx';

/** Stands in the copyable command until the page knows where it was served from. */
const ANY_ORIGIN = 'http://localhost:3000';

export function drawLanding(): string {
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <HeaderFrame>
        <Button>
          <LogIn size={16} aria-hidden />
          Sign In
        </Button>
      </HeaderFrame>
      <Landing origin={ANY_ORIGIN} />
    </Router>,
  );
}
