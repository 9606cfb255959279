// The part of the header that needs no session, so that it can be drawn at build time: brand and navigation.
import { Inbox, Settings, Webhook } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { BrandMark } from '../ui/brand.tsx';

/** Below the address of the settings, and a place of its own. */
const INTAKES = '/admin/intakes';

/** `children`: the part that depends on the session, at the end. */
export function HeaderFrame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  // As wide as the page below it.
  const width = path === '/api-docs' ? 'max-w-[60rem] xl:max-w-[75rem]' : 'max-w-[60rem]';
  return (
    <header className="sticky top-0 z-30 border-b border-line-1 bg-surface-0">
      {/* So narrow only large letters make it: then in two lines. */}
      <div
        className={`mx-auto flex h-14 items-center gap-1 px-3 max-[18rem]:h-auto max-[18rem]:flex-wrap sm:gap-2 sm:px-6 ${width}`}
      >
        <Link
          href="/"
          className="-ml-1 flex items-center gap-2.5 rounded-sm p-1 touch:min-h-11 touch:min-w-11 touch:justify-center"
        >
          <BrandMark />
          <span translate="no" className="text-16 font-semibold tracking-[-0.01em] max-[24rem]:sr-only">
            Qinbox
          </span>
          <span className="ml-1 text-13 whitespace-nowrap text-ink-3 max-lg:sr-only">Focus on today</span>
        </Link>
        <nav aria-label="Main" className="ml-auto flex items-center sm:mr-auto sm:ml-4 sm:gap-1">
          <NavLink href="/inbox" icon={Inbox} label="Inbox" />
          <NavLink href={INTAKES} icon={Webhook} label="Intakes" />
          <NavLink href="/admin" without={INTAKES} icon={Settings} label="Settings" />
        </nav>
        {children}
      </div>
    </header>
  );
}

interface NavLinkProps {
  href: string;
  /** A page below it that has its own link. */
  without?: string;
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  label: string;
}

function NavLink({ href, without, icon: Icon, label }: NavLinkProps) {
  const [path] = useLocation();
  const isHere = path === href;
  const active = isBelow(path, href) && (without === undefined || !isBelow(path, without));
  return (
    <Link
      href={href}
      aria-label={label}
      aria-current={isHere ? 'page' : active ? 'true' : undefined}
      className={`inline-flex h-9 items-center justify-center gap-2 rounded-sm px-2.5 text-14 transition-colors touch:h-11 touch:min-w-11 ${active ? 'bg-surface-3 font-medium text-ink-1' : 'text-ink-2 hover:bg-surface-2 hover:text-ink-1'}`}
    >
      <Icon size={17} aria-hidden />
      <span className="max-sm:hidden">{label}</span>
    </Link>
  );
}

function isBelow(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}
