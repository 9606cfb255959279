// Every fault at full size: a store and a Redis that hang for 30 seconds, a worker that hangs for a minute.
import { describeFaults } from './production.ts';

describeFaults({
  senders: 32,
  restMs: 0,
  hangMs: 30_000,
  workerHangMs: 60_000,
  electionMs: 10_000,
  timeoutMs: 300_000,
  inTime: true,
});
