// Whether Slack takes the token of the configuration: asked at the start, when a call with a token was
// refused, and every ten minutes while somebody looks. What an operator must mend shows in the log and in
// the state.
import type { AdapterState } from '#core/ports/adapter/context.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Log } from '#core/ports/log.ts';
import type { Outbox } from './outbox.ts';

const ASKED_EVERY_MS = 10 * 60_000;
const REFUSED =
  'Slack refuses SLACK_BOT_TOKEN: tasks still come in, but answers, the Home tab and steps of escalations do not go out. Install the app again, under OAuth & Permissions, and set the token that it shows';

interface Deps {
  clock: Clock;
  log: Log;
  outbox: Outbox;
}

/** `isTaken` asks Slack; null where no token is configured. */
export function createTokenCheck(isTaken: (() => Promise<boolean>) | null, { clock, log, outbox }: Deps) {
  let isRefused = false;
  let isAsking = false;
  let askedAt = -Infinity;

  async function find(question: () => Promise<boolean>): Promise<void> {
    // Slack being away changes nothing: who calls it finds out.
    const answer = await question().catch(() => !isRefused);
    isAsking = false;
    if (answer !== isRefused) return;
    isRefused = !answer;
    if (isRefused) log.warn({}, REFUSED);
    else log.info({}, 'Slack takes SLACK_BOT_TOKEN again');
  }

  /** Asks now; a question that is under way is enough. */
  function ask(): void {
    if (isTaken === null || isAsking) return;
    isAsking = true;
    askedAt = clock.monotonic();
    outbox.follow('the check of the token', () => find(isTaken));
  }

  return {
    ask,
    /** The state of what `reached` is the state of the way in. */
    state(reached: AdapterState): AdapterState {
      if (clock.monotonic() - askedAt >= ASKED_EVERY_MS) ask();
      return reached.ok && isRefused ? { ok: false, takesIn: true, detail: REFUSED } : reached;
    },
  };
}
