// The parts that jsdom lacks, and a clean page for each test.
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { cancelOpening, dismissFailure } from '../src/ui/opening.ts';
import { FakeSocket } from './fake-socket.ts';

// Patient, because the machine may be busy with other work.
configure({
  getElementError: (message) => new Error(message ?? undefined),
  asyncUtilTimeout: 30_000,
});

// React makes an asynchronous task of each element for a debugger, which nobody has open here.
Reflect.deleteProperty(console, 'createTask');

class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// Node carries messages between all threads of the process: each file has channels of its own.
const ofThisFile = Math.random();

class ChannelOfThisFile extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} ${ofThisFile}`);
  }
}

globalThis.BroadcastChannel = ChannelOfThisFile;
globalThis.ResizeObserver = NoResizeObserver;
globalThis.WebSocket = FakeSocket as unknown as typeof WebSocket;
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
// For axe, which asks whether text is an icon font.
HTMLCanvasElement.prototype.getContext = () => null;

afterEach(() => {
  cleanup();
  // A test may end while something opens: the next page must not begin with that.
  cancelOpening();
  dismissFailure();
  localStorage.clear();
  FakeSocket.all.length = 0;
});
