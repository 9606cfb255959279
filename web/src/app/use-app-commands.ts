// The commands of every page for the palette: navigation, appearance, account.
import { useLocation } from 'wouter';
import { useCommands, type Command } from '../lib/palette-commands.ts';
import { getPreferences, setPreferences, type Theme } from '../lib/preferences.ts';
import { session } from '../lib/services.ts';
import { signOut } from '../lib/session/actions.ts';
import { sectionsFor } from './settings-sections.ts';

interface Place {
  href: string;
  label: string;
  /** What else it is searched by. */
  words: string;
}

/** Pages beside the app: the browser opens them. */
const DOCS = '/docs';

const PLACES: readonly Place[] = [
  { href: '/inbox', label: 'Inbox', words: 'today tasks queue' },
  { href: '/inbox?view=acknowledged', label: 'Recently acknowledged', words: 'undo restore history' },
  { href: '/admin/intakes', label: 'Intakes', words: 'webhooks mail addresses senders' },
  { href: '/admin', label: 'Settings', words: 'api keys account' },
  { href: '/api-docs', label: 'API documentation', words: 'curl rest reference' },
  { href: DOCS, label: 'Docs', words: 'help documentation manual guide' },
  { href: '/', label: 'Home', words: 'landing start' },
];

const THEMES: [Theme, string][] = [
  ['system', 'Theme: as the system'],
  ['light', 'Theme: light'],
  ['dark', 'Theme: dark'],
];

export function useAppCommands(on: { signIn: () => void; showProfile: () => void }): void {
  const [, navigate] = useLocation();

  useCommands(() => {
    const { method, user } = session.getState();
    const { own, server } = sectionsFor({ method, user });
    const { theme, density, shortcuts } = getPreferences();
    const go = ({ href, label, words }: Place): Command => ({
      id: `go ${href}`.replaceAll(/\W+/g, '-'),
      label,
      group: 'Go to',
      words: `go open ${words}`,
      run: () => (href === DOCS ? location.assign(href) : navigate(href)),
    });
    const account = (id: string, label: string, run: () => void): Command => ({
      id,
      label,
      group: 'Account',
      run,
    });
    return [
      // The home of a signed-in person is the inbox.
      ...PLACES.filter(({ href }) => href !== '/' || method === 'none').map(go),
      ...(method === 'jwt'
        ? [go({ href: '/admin/intakes/new', label: 'New intake', words: 'webhook mail address sender' })]
        : []),
      ...[...own, ...server].filter(({ href }) => href !== '/admin').map(go),
      ...THEMES.filter(([value]) => value !== theme).map(([value, label]) => ({
        id: `theme-${value}`,
        label,
        group: 'Appearance',
        run: () => setPreferences({ theme: value }),
      })),
      {
        id: 'density',
        label: density === 'compact' ? 'Rows: comfortable' : 'Rows: compact',
        group: 'Appearance',
        words: 'density',
        run: () => setPreferences({ density: density === 'compact' ? 'comfortable' : 'compact' }),
      },
      {
        id: 'single-keys',
        label: shortcuts ? 'Turn single-key shortcuts off' : 'Turn single-key shortcuts on',
        group: 'Appearance',
        words: 'keyboard',
        run: () => setPreferences({ shortcuts: !shortcuts }),
      },
      ...(method === 'jwt' ? [account('profile', 'View Profile', on.showProfile)] : []),
      method === 'none'
        ? account('sign-in', 'Sign In', on.signIn)
        : account('sign-out', 'Sign Out', () => void signOut()),
    ];
  }, 'frame');
}
