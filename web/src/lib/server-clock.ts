// An estimate of the server's time: deadlines are by its clock, and local clocks are often wrong. How far
// apart they are is stored where that is clearly so, for when the page is opened without a network.
import type { LocalStore } from './local-store.ts';

const ENTRY = 'qinbox.clock';
/** Clocks that differ by less are taken for equal while nothing exact is known. */
const CLEARLY_MS = 2000;
/** Less is not worth storing. */
const STORED_FROM_MS = 60_000;
/** No answer is that long on its way: the clock of the device has been set. */
const SET_MS = 2 * 60_000;

export class ServerClock {
  #offsetMs: number;
  #exact = false;
  #known = false;
  readonly #localNow: () => number;
  readonly #store: LocalStore | null;

  constructor(localNow: () => number = () => Date.now(), store: LocalStore | null = null) {
    this.#localNow = localNow;
    this.#store = store;
    const stored = Number(store?.get(ENTRY) ?? 0);
    this.#offsetMs = Number.isFinite(stored) ? stored : 0;
  }

  /** Milliseconds since the epoch by the server's clock. */
  now(): number {
    return this.#localNow() + this.#offsetMs;
  }

  /** Whether the server has told this page its time: until then nothing may be lost by it. */
  isKnown(): boolean {
    return this.#known;
  }

  /** The socket's `hello.serverTime`: exact to the time that it travelled. */
  setExact(serverTime: string): void {
    const ms = Date.parse(serverTime);
    if (!Number.isFinite(ms)) return;
    this.#exact = true;
    this.#set(ms - this.#localNow());
  }

  /**
   * A `Date` header has whole seconds: used while no exact time is known and the clocks clearly differ, and
   * where the clock of the device was set since the exact time came.
   */
  setFromDateHeader(header: string | null): void {
    if (header === null) return;
    const ms = Date.parse(header);
    if (!Number.isFinite(ms)) return;
    const offset = ms + 500 - this.#localNow();
    const isNews = Math.abs(offset - this.#offsetMs) > (this.#exact ? SET_MS : CLEARLY_MS);
    if (isNews) this.#set(Math.abs(offset) > CLEARLY_MS ? offset : 0);
    else this.#known = true;
  }

  #set(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    this.#known = true;
    this.#store?.set(ENTRY, Math.abs(offsetMs) < STORED_FROM_MS ? null : String(Math.round(offsetMs)));
  }
}
