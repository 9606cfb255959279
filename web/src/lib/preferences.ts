// The settings of this browser: theme, density, single-key shortcuts, notifications. /theme.js reads the
// first two before the first paint.
import { useSyncExternalStore } from 'react';
import { createEmitter } from './emitter.ts';
import { localStore } from './local-store.ts';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

export interface Preferences {
  theme: Theme;
  density: Density;
  shortcuts: boolean;
  /** A notification for a new high priority task while the tab is hidden. */
  notifications: boolean;
  /** A sound with it. */
  sound: boolean;
}

const changed = createEmitter();
let current = read();

function read(): Preferences {
  const theme = localStore.get('qinbox.theme');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    density: localStore.get('qinbox.density') === 'compact' ? 'compact' : 'comfortable',
    shortcuts: localStore.get('qinbox.shortcuts') !== 'off',
    notifications: localStore.get('qinbox.notifications') === 'on',
    sound: localStore.get('qinbox.sound') === 'on',
  };
}

export function getPreferences(): Preferences {
  return current;
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  localStore.set('qinbox.theme', current.theme === 'system' ? null : current.theme);
  localStore.set('qinbox.density', current.density === 'compact' ? 'compact' : null);
  localStore.set('qinbox.shortcuts', current.shortcuts ? null : 'off');
  localStore.set('qinbox.notifications', current.notifications ? 'on' : null);
  localStore.set('qinbox.sound', current.sound ? 'on' : null);
  const { dataset } = document.documentElement;
  if (current.theme === 'system') delete dataset.theme;
  else dataset.theme = current.theme;
  colourFrame(current.theme);
  if (current.density === 'compact') dataset.density = 'compact';
  else delete dataset.density;
  changed.emit();
}

/** The browser's own frame follows the chosen theme, too. */
function colourFrame(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
    const { scheme = '' } = meta.dataset;
    meta.media =
      theme === 'system' ? `(prefers-color-scheme: ${scheme})` : scheme === theme ? 'all' : 'not all';
  }
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(changed.subscribe, getPreferences);
}
