// Whether this browser gets pushes, and as which device: stored, so that every page knows it at once.
import { createEmitter } from '../emitter.ts';
import { asRecord, parseJson } from '../json.ts';
import { localStore } from '../local-store.ts';

const NAME = 'qinbox.push';
const changed = createEmitter();

export interface PushEntry {
  /** Who turned it on ({@link ../session/account.ts}). */
  account: string;
  /** The id of the device at the server. */
  device: string;
  /** The address that the server has of it. */
  endpoint: string;
}

/** Called after each change of this page. */
export const subscribeToPushEntry = changed.subscribe;

/** As stored: the same text until it changes. */
export function storedPushEntry(): string | null {
  return localStore.get(NAME);
}

/** Null where push is off. */
export function readPushEntry(): PushEntry | null {
  const { account, device, endpoint } = asRecord(parseJson(storedPushEntry() ?? ''));
  return typeof account === 'string' && typeof device === 'string' && typeof endpoint === 'string'
    ? { account, device, endpoint }
    : null;
}

export function storePushEntry(entry: PushEntry | null): void {
  localStore.set(NAME, entry === null ? null : JSON.stringify(entry));
  changed.emit();
}
