// An estimate of the server's time: deadlines are by its clock, and local clocks are often wrong.

export class ServerClock {
  #offsetMs = 0;
  #exact = false;
  readonly #localNow: () => number;

  constructor(localNow: () => number = () => Date.now()) {
    this.#localNow = localNow;
  }

  /** Milliseconds since the epoch by the server's clock. */
  now(): number {
    return this.#localNow() + this.#offsetMs;
  }

  /** The socket's `hello.serverTime`: exact to the time that it travelled. */
  setExact(serverTime: string): void {
    const ms = Date.parse(serverTime);
    if (!Number.isFinite(ms)) return;
    this.#offsetMs = ms - this.#localNow();
    this.#exact = true;
  }

  /** A `Date` header has whole seconds: used while no exact time is known and the clocks clearly differ. */
  setFromDateHeader(header: string | null): void {
    if (this.#exact || header === null) return;
    const ms = Date.parse(header);
    if (!Number.isFinite(ms)) return;
    const offset = ms + 500 - this.#localNow();
    if (Math.abs(offset - this.#offsetMs) > 2000) this.#offsetMs = Math.abs(offset) > 2000 ? offset : 0;
  }
}
