// The sections of the settings: where each is, and who sees it.
import { isAdmin, type SessionState } from '../lib/session/session.ts';

export interface SettingsSection {
  href: string;
  label: string;
  /** What else it is searched by. */
  words: string;
}

/** Stored in this browser, so there for anyone; but for the first one. */
const BROWSER: readonly SettingsSection[] = [
  {
    href: '/admin',
    label: 'Account',
    words: 'api keys email export import backup move delete my account',
  },
  { href: '/admin/appearance', label: 'Appearance', words: 'theme density look' },
  {
    href: '/admin/notifications',
    label: 'Notifications',
    words: 'push quiet hours do not disturb sound desktop',
  },
  { href: '/admin/keyboard', label: 'Keyboard', words: 'shortcuts single keys' },
];
const PERSON: readonly SettingsSection[] = [
  {
    href: '/admin/escalation',
    label: 'Escalation',
    words: 'digest unacknowledged steps push again mail expired unseen',
  },
  { href: '/admin/webhooks', label: 'Webhooks', words: 'outgoing signed http post events' },
  { href: '/admin/slack', label: 'Slack', words: 'link channels' },
];
const SERVER: readonly SettingsSection[] = [
  { href: '/admin/users', label: 'Users', words: 'admin invite disable people' },
  { href: '/admin/system', label: 'System', words: 'admin queue rejected' },
];

/** The sections of this visitor, those of the server apart. */
export function sectionsFor({ method, user }: Pick<SessionState, 'method' | 'user'>): {
  own: readonly SettingsSection[];
  server: readonly SettingsSection[];
} {
  return {
    own: method === 'jwt' ? [...BROWSER, ...PERSON] : BROWSER,
    server: method === 'jwt' && isAdmin(user) ? SERVER : [],
  };
}
