// The head of every page.
import { PALETTE_KEYS } from '../lib/palette-commands.ts';
import { Keys } from '../ui/keys.tsx';
import { HeaderFrame } from './header-frame.tsx';
import { LiveChip } from './live-chip.tsx';
import { UserMenu } from './user-menu.tsx';

interface HeaderProps {
  onSignIn: () => void;
  onProfile: () => void;
  onPalette: () => void;
}

export function Header({ onSignIn, onProfile, onPalette }: HeaderProps) {
  return (
    <HeaderFrame>
      <LiveChip />
      <button
        type="button"
        data-hint="Everything that can be done here"
        onClick={onPalette}
        className="inline-flex h-9 items-center rounded-sm px-2 hover:bg-surface-2 max-md:hidden touch:hidden"
      >
        <span className="sr-only">Command palette </span>
        <Keys keys={PALETTE_KEYS} />
      </button>
      <UserMenu onSignIn={onSignIn} onProfile={onProfile} />
    </HeaderFrame>
  );
}
