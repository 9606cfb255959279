// The session, for components.
import { useSyncExternalStore } from 'react';
import { session } from '../services.ts';
import type { SessionState } from './session.ts';

export function useSession(): SessionState & { authenticated: boolean } {
  const state = useSyncExternalStore(session.subscribe, session.getState);
  return { ...state, authenticated: state.method !== 'none' };
}
