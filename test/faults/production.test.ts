// A small version of what production.long.ts does at full size.
import { describeFaults } from './production.ts';

describeFaults({
  senders: 8,
  restMs: 100,
  hangMs: 3000,
  workerHangMs: 3000,
  electionMs: 2000,
  timeoutMs: 900_000,
  inTime: false,
});
