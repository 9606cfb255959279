// A WebSocket that a test opens, speaks through and closes.

export class FakeSocket extends EventTarget {
  static readonly all: FakeSocket[] = [];
  readonly url: string;
  readonly protocols: string[];
  closed = false;

  constructor(url: string, protocols: string[] = []) {
    super();
    this.url = url;
    this.protocols = protocols;
    FakeSocket.all.push(this);
  }

  static get latest(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (socket === undefined) throw new Error('No socket was opened');
    return socket;
  }

  override addEventListener(
    type: string,
    listener: ((event: never) => void) | EventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener as EventListener, options);
  }

  say(message: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  hello(serverTime = new Date().toISOString()): void {
    this.say({ type: 'hello', serverTime });
  }

  drop(code = 1006): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  close(): void {
    this.closed = true;
  }
}
