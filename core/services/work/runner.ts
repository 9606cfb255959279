// Does the work that is due (core/domain/work.ts). A process holds a lane while it works on it, and renews
// that; when it dies, another takes the lane a little later. Each lane has a few attempts at once, by how
// quick its receiver is, and all lanes together a number that no slow one can fill. A lane that has had work
// is held for a little while longer, so that what comes next leaves at once.
import { randomUUID } from 'node:crypto';
import { nextAttempt, placesAfter, restUntil, type Work, type WorkProgress } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import { ON_RECORD, type HeldLane, type WorkStore } from '#core/ports/work-store.ts';
import { createPlaces, type Places } from '#core/services/places.ts';
import { createAlarm, repeat, type Alarm } from '#core/services/repeat.ts';

/** What came of an attempt. */
export interface Attempt {
  /**
   * `retry`: it failed, and is tried again; `hold`: it was not made, the lane stops for now; `later`: it was
   * not made, and when it is due was stored by whom it was left to.
   */
  outcome: 'done' | 'failed' | 'retry' | 'hold' | 'later';
  /** For the record, as JSON. */
  result: string;
  /** How long it took. */
  ms: number;
  /** Nothing more is sent before then, in milliseconds. */
  notBefore?: number;
}

/** A lane that can be worked on. */
export interface LaneWork {
  /** Makes one attempt. `failures`: how many before it have failed in a row. Must not throw. */
  attempt(work: Work, failures: number): Promise<Attempt>;
  /** Attempts at once, fewer than the runner would make. */
  mostAtOnce?: number;
  /** How much of what ended stays on record for its time, the latest of the lane; 100 unless said. */
  mostOnRecord?: number | 'all';
}

/** Does the work of one kind. */
export interface WorkHandler {
  /** `hold`: not now, not until the lane is woken or an hour has passed; `gone`: never, it is removed. */
  begin(lane: HeldLane): Promise<LaneWork | 'hold' | 'gone'>;
}

interface Parts {
  store: WorkStore;
  clock: Clock;
  handlers: Readonly<Record<string, WorkHandler>>;
  /** For how long no work may be given up yet, in milliseconds (core/services/grace.ts). */
  graceMs: () => number;
  /** How often to look for work that is due. */
  intervalMs: number;
  onError: (error: unknown) => void;
  /** 0 to 1. */
  random?: () => number;
  leaseMs?: number;
}

export interface WorkRunner {
  /** These lanes have work: looks at them now. */
  wake(lanes: readonly string[]): void;
  /** Attempts under way. */
  underWay(): number;
  /** Takes no more work; resolves when what is under way has ended, after five seconds at the latest. */
  stop(): Promise<void>;
}

/** Attempts at once in this process. */
const MOST_AT_ONCE = 128;
/** Lanes that one process works on at once. */
const MAX_LANES = 500;
const LEASE_MS = 20_000;
const HOLD_MS = 60 * 60_000;
/** How long a lane is held at the most, before it is looked at anew whether it may be worked on. */
const LONGEST_TURN_MS = 60_000;
/** How long a lane is held after its last work. */
const LINGER_MS = 2000;
/** How often to look for what a process that died has not moved to its lanes. */
const MOVE_EVERY_MS = 1000;
/** How long what is under way may go on when the program ends. */
const DRAIN_MS = 5000;
/** Records of which the work is moved at once. */
const MOVED_AT_ONCE = 200;
const LOOK_AGAIN_MS = 1000;
interface RunningLane {
  alarm: Alarm;
  ended: Promise<void>;
  /** Set where the store gave the lane to this process anew before it was known to be left. */
  taken: HeldLane | null;
}

/** Starts working. */
export function startWorkRunner(parts: Parts): WorkRunner {
  const { store, clock, handlers, intervalMs, onError, leaseMs = LEASE_MS } = parts;
  const holder = randomUUID();
  const places = createPlaces(MOST_AT_ONCE);
  const lanes = new Map<string, RunningLane>();
  const state = { stopped: false, abandoned: false };

  async function run(lane: HeldLane, alarm: Alarm): Promise<void> {
    let rest = { restUntil: 0, failures: lane.failures };
    try {
      const work = (await handlers[lane.kind]?.begin(lane)) ?? 'hold';
      if (work === 'gone') return await store.removeLane(lane.id);
      if (work === 'hold') rest.restUntil = clock.now() + HOLD_MS;
      else rest = await workOn(lane, work, { ...parts, holder, leaseMs, places, state, alarm });
    } catch (error) {
      onError(error);
      rest.restUntil = clock.now() + LEASE_MS;
    }
    await store.leaveLane(holder, lane.id, clock.now(), rest);
  }

  async function takeLanes(): Promise<void> {
    const room = MAX_LANES - lanes.size;
    if (room <= 0) return;
    for (const lane of await store.takeLanes(holder, clock.now(), leaseMs, room)) {
      const running = lanes.get(lane.id);
      // It is being left just now, or this process slept for longer than its lease.
      if (running !== undefined) running.taken = lane;
      else begin(lane);
    }
  }

  function begin(lane: HeldLane): void {
    const running: RunningLane = { alarm: createAlarm(), ended: Promise.resolve(), taken: null };
    lanes.set(lane.id, running);
    running.ended = runAll(lane, running);
  }

  /** Runs a lane, and again where it was taken meanwhile and is still this process's. */
  async function runAll(lane: HeldLane, running: RunningLane): Promise<void> {
    try {
      await run(lane, running.alarm);
      for (let again = running.taken; again !== null; again = running.taken) {
        running.taken = null;
        if (await store.holdLane(holder, again.id, clock.now(), leaseMs)) await run(again, running.alarm);
      }
    } catch (error) {
      onError(error);
    }
    lanes.delete(lane.id);
    // What came while it was left is due.
    if (running.alarm.isRinging()) taking.now();
  }

  async function moveOn(): Promise<void> {
    while (!state.stopped && (await store.moveOn(MOVED_AT_ONCE)));
  }

  const taking = repeat(takeLanes, intervalMs, onError);
  const moving = repeat(moveOn, Math.max(intervalMs, MOVE_EVERY_MS), onError);

  return {
    wake(woken) {
      const held = woken.map((lane) => lanes.get(lane)?.alarm);
      for (const alarm of held) alarm?.ring();
      if (held.includes(undefined)) taking.now();
    },
    underWay: () => places.taken(),
    async stop() {
      state.stopped = true;
      await Promise.all([taking.stop(), moving.stop()]);
      places.close();
      for (const { alarm } of lanes.values()) alarm.ring();
      const late = createAlarm();
      const ended = Promise.all([...lanes.values()].map((lane) => lane.ended));
      await Promise.race([ended, late.wait(DRAIN_MS)]);
      late.ring();
      state.abandoned = true;
    },
  };
}

interface LaneParts extends Parts {
  holder: string;
  leaseMs: number;
  places: Places;
  /** Rings when the lane may have more to do. */
  alarm: Alarm;
  state: { stopped: boolean; abandoned: boolean };
}

/** Works on a lane until nothing of it is due, it must rest, or the program ends. How to leave it. */
async function workOn(lane: HeldLane, work: LaneWork, parts: LaneParts) {
  const { store, clock, places, state, alarm, graceMs, intervalMs, onError, random = Math.random } = parts;
  const inFlight = new Map<string, Promise<void>>();
  const turnEnds = clock.monotonic() + LONGEST_TURN_MS;
  const rest = { restUntil: 0, failures: lane.failures };
  let ready: Work[] = [];
  let wide = 1;
  let ended = 0;
  let mayGoOn = true;
  const lease = keepLease(lane, parts, () => {
    mayGoOn = false;
  });

  const { mostOnRecord = ON_RECORD } = work;
  const trimEvery = mostOnRecord === 'all' ? Infinity : mostOnRecord / 2;
  async function trim(): Promise<void> {
    if (mostOnRecord !== 'all') await store.trim(lane.id, mostOnRecord);
  }

  /** Stores what came of an attempt. */
  async function note(one: Work, { outcome, result, ms, notBefore = 0 }: Attempt): Promise<void> {
    const now = clock.now();
    const attempts = one.attempts + 1;
    const again = () => nextAttempt({ ...one, attempts }, { now, notBefore, random: random() });
    const grace = graceMs();
    // What is too old after a sleep, of the machine or the program, has a last attempt, when that is over.
    const dueAt = outcome === 'retry' ? (again() ?? (grace > 0 ? now + grace : null)) : null;
    const isOver = dueAt === null;
    const status = outcome === 'done' ? 'done' : isOver ? 'failed' : 'waiting';
    const progress: WorkProgress = {
      dueAt,
      status,
      attempts,
      result,
      lastAttemptAt: now,
      endedAt: isOver ? now : null,
    };
    await store.progress(one, progress);
    const ok = outcome === 'done';
    wide = Math.min(placesAfter(wide, { ok, ms }), work.mostAtOnce ?? Infinity);
    const couldRest = restUntil(rest.failures, now, 0) !== null;
    rest.failures = ok ? 0 : rest.failures + 1;
    rest.restUntil = ok
      ? 0
      : Math.max(rest.restUntil, restUntil(rest.failures, now, random()) ?? 0, notBefore);
    // It is back: what had failed before is tried now.
    if (ok && couldRest) await store.wakeLane(lane.id, now);
    if (isOver && ++ended % trimEvery === 0) await trim();
  }

  async function attempt(one: Work): Promise<void> {
    try {
      if (!(await places.take())) return;
      try {
        if (state.stopped || !mayGoOn) return;
        const made = await work.attempt(one, rest.failures);
        if (made.outcome === 'hold') mayGoOn = false;
        else if (made.outcome !== 'later' && !state.abandoned) await note(one, made);
      } finally {
        places.free();
      }
    } catch (error) {
      mayGoOn = false;
      rest.restUntil = clock.now() + LEASE_MS;
      onError(error);
    } finally {
      inFlight.delete(one.key);
      alarm.ring();
    }
  }

  try {
    let lingersUntil = clock.monotonic() + LINGER_MS;
    while (mayGoOn && !state.stopped && rest.restUntil === 0 && clock.monotonic() < turnEnds) {
      if (ready.length === 0 && inFlight.size < wide)
        ready = await store.next(lane.id, clock.now(), wide * 2, new Set(inFlight.keys()));
      while (ready.length > 0 && inFlight.size < wide) {
        const one = ready.shift() as Work;
        inFlight.set(one.key, attempt(one));
      }
      if (inFlight.size > 0) lingersUntil = clock.monotonic() + LINGER_MS;
      else if (clock.monotonic() >= lingersUntil) break;
      // With places left, what has come meanwhile, or is due by now, is looked for.
      await alarm.wait(inFlight.size < wide ? intervalMs : LOOK_AGAIN_MS);
    }
    await Promise.all(inFlight.values());
    if (ended > 0) await trim();
    return rest;
  } finally {
    lease.stop();
  }
}

/** Renews the lease of a lane; tells when it is lost. */
function keepLease(
  { id }: HeldLane,
  { store, clock, holder, leaseMs, onError }: LaneParts,
  lost: () => void,
): { stop: () => void } {
  async function renew(): Promise<void> {
    try {
      if (!(await store.holdLane(holder, id, clock.now(), leaseMs))) lost();
    } catch (error) {
      lost();
      onError(error);
    }
  }
  const timer = setInterval(() => {
    void renew();
  }, leaseMs / 4).unref();
  return { stop: () => clearInterval(timer) };
}
