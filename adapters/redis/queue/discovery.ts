// Looks, again and again, for the queues that there are: also for those that other processes submit to
// for the first time, and while not all of them are known.
import type { Log } from '#core/ports/log.ts';
import type { Partition } from './partitions.ts';
import type { QueueList } from './queue-list.ts';
import type { Readiness } from './readiness.ts';

const INTERVAL_MS = 1000;
/** While the queues cannot be listed, up to so much more, so that processes do not ask at the same time. */
const SPREAD_MS = 2000;

/** The queues, on a connection that fails soon while their server is away. */
export interface QueueSource {
  list: QueueList;
  ready: Readiness;
  isRegistered: (partition: Partition) => Promise<boolean>;
}

/** `found`: is told of all that are known each time. */
export function startDiscovery(
  { list, ready, isRegistered }: QueueSource,
  found: (partition: Partition) => Promise<void>,
  log: Pick<Log, 'warn'> | undefined,
) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function look(): Promise<void> {
    const isListed = await find().catch(() => false);
    if (stopped) return;
    timer = setTimeout(() => void look(), INTERVAL_MS + (isListed ? 0 : Math.random() * SPREAD_MS));
  }

  /** Whether all that are registered could be read. */
  async function find(): Promise<boolean> {
    await ready.wait();
    const { listed, assumed, faults } = await list.read();
    const [fault] = faults;
    if (fault !== undefined) log?.warn({ err: fault }, 'the list of queues cannot be read');
    await Promise.all([...listed.map(found), ...assumed.map(foundIfRegistered)]);
    return fault === undefined;
  }

  /** One that never was would be worked on for nothing; one that cannot be asked is asked again. */
  async function foundIfRegistered(partition: Partition): Promise<void> {
    if (await isRegistered(partition).catch(() => false)) await found(partition);
  }

  void look();
  return {
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
