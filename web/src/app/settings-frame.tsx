// The frame of every section of the settings. Wide screens have the sections at the side; phones have them as
// a list on the first one, and the way back to it on the others.
import {
  Activity,
  Bell,
  ChevronLeft,
  Keyboard,
  MessageSquare,
  Send,
  Settings,
  Siren,
  SunMoon,
  UserRound,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { usePageTitle } from '../lib/page-title.ts';
import { useSession } from '../lib/session/use-session.ts';
import { sectionsFor, type SettingsSection } from './settings-sections.ts';

const FIRST = '/admin';

/** Apart from the sections, which every page has for its palette. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  '/admin': UserRound,
  '/admin/appearance': SunMoon,
  '/admin/notifications': Bell,
  '/admin/keyboard': Keyboard,
  '/admin/escalation': Siren,
  '/admin/webhooks': Send,
  '/admin/slack': MessageSquare,
  '/admin/users': Users,
  '/admin/system': Activity,
};

export function SettingsFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  const [path] = useLocation();
  const isFirst = path === FIRST;
  return (
    <main className="mx-auto grid w-full max-w-[60rem] flex-1 content-start gap-x-8 px-4 py-6 sm:px-6 md:grid-cols-[11.5rem_minmax(0,1fr)] md:grid-rows-[auto_1fr] md:py-10">
      <div className="md:col-start-2 md:row-start-1">
        {isFirst ? null : (
          <Link
            href={FIRST}
            className="mb-1 -ml-1.5 inline-flex h-9 items-center gap-0.5 rounded-sm pr-2 text-14 text-ink-2 hover:text-ink-1 md:hidden touch:h-11"
          >
            <ChevronLeft size={18} aria-hidden />
            Settings
          </Link>
        )}
        <h1 className="mb-5 text-28 font-semibold tracking-[-0.015em] wrap-anywhere hyphens-auto md:mb-6">
          {title}
        </h1>
      </div>
      <Sections path={path} isShownOnPhones={isFirst} />
      <div className="flex min-w-0 flex-col gap-4 md:col-start-2 md:row-start-2">{children}</div>
    </main>
  );
}

function Sections({ path, isShownOnPhones }: { path: string; isShownOnPhones: boolean }) {
  const { own, server } = sectionsFor(useSession());
  const entry = (section: SettingsSection) => (
    <Section key={section.href} section={section} isHere={section.href === path} />
  );
  return (
    <nav
      aria-label="Settings"
      className={`md:sticky md:top-20 md:col-start-1 md:row-span-2 md:row-start-1 md:self-start ${isShownOnPhones ? 'max-md:mb-4' : 'max-md:hidden'}`}
    >
      <ul className="max-md:grid max-md:grid-cols-[repeat(auto-fill,minmax(8.75rem,1fr))] max-md:gap-2 md:flex md:flex-col md:gap-0.5">
        {own.map(entry)}
        {server.length === 0 ? null : (
          <li className="col-span-full max-md:contents md:mt-3 md:border-t md:border-line-1 md:pt-3">
            <p id="server-sections" className="sr-only">
              This server
            </p>
            <ul aria-labelledby="server-sections" className="max-md:contents md:flex md:flex-col md:gap-0.5">
              {server.map(entry)}
            </ul>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Section({ section: { href, label }, isHere }: { section: SettingsSection; isHere: boolean }) {
  const Icon = ICONS[href] ?? Settings;
  return (
    <li className={isHere ? 'max-md:hidden' : ''}>
      <Link
        href={href}
        aria-current={isHere ? 'page' : undefined}
        className={`flex min-h-9 items-center gap-2.5 rounded-sm px-3 text-14 transition-colors max-md:min-h-12 max-md:rounded-md max-md:border max-md:border-line-1 max-md:gap-2 max-md:bg-surface-1 max-md:px-2.5 touch:min-h-11 ${isHere ? 'bg-surface-3 font-medium text-ink-1' : 'text-ink-2 hover:bg-surface-2 hover:text-ink-1'}`}
      >
        <Icon size={17} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">{label}</span>
      </Link>
    </li>
  );
}
