// The entries of a menu.
import type { ReactNode } from 'react';

export type MenuEntry =
  | { kind: 'note'; label: string }
  | {
      kind: 'item';
      label: string;
      icon?: ReactNode;
      keys?: string | undefined;
      disabled?: boolean;
      onSelect: () => void;
    }
  /** One of several; choosing the active one again calls `onSelect`, too. */
  | {
      kind: 'choice';
      label: string;
      active: boolean;
      icon?: ReactNode;
      keys?: string | undefined;
      onSelect: () => void;
    };
