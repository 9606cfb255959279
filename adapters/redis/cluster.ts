// The client of a Redis Cluster that begins to work also while one of its servers hangs: what any server can
// answer is answered by the first, and not by one that is chosen at random and waited for. It can also be
// disconnected while a slot moves.
import { Cluster, type Command, type Redis } from 'ioredis';

type Stream = Parameters<Cluster['sendCommand']>[1];

/** A private member of ioredis' class. */
interface WithSubscriber {
  subscriber: { getInstance(): Redis | null };
}

export class FirstAnswerCluster extends Cluster {
  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    const servers = this.nodes('master');
    if (stream !== undefined || node !== undefined || servers.length === 0 || !isOfAny(command))
      return super.sendCommand(command, stream, node);
    const answers = servers.map((server) => server.call(command.name, ...command.args.map(String)));
    Promise.any(answers).then(
      (answer) => command.resolve(answer as string),
      ({ errors: [first] }: AggregateError) => command.reject(first as Error),
    );
    return command.promise;
  }

  /**
   * An answer meanwhile that a slot has moved makes a connection that nobody ever opens or closes. This
   * client would wait for its end forever, and BullMQ's worker with it.
   */
  override disconnect(reconnect?: boolean): void {
    const drop = (node: Redis) => {
      if (this.status === 'disconnecting') node.disconnect();
    };
    this.on('+node', drop);
    this.once('close', () => this.off('+node', drop));
    super.disconnect(reconnect);
  }

  /** The connection that hears PUBLISH, to one of the servers; it is replaced. Null while there is none. */
  hearingConnection(): Redis | null {
    return (this as unknown as WithSubscriber).subscriber.getInstance();
  }

  /** BullMQ makes clients of its own in this way. Nothing is sent before this returns. */
  override duplicate(...given: Parameters<Cluster['duplicate']>): Cluster {
    const copy = super.duplicate(...given);
    Object.setPrototypeOf(copy, FirstAnswerCluster.prototype);
    return copy;
  }
}

/** INFO and CLUSTER INFO, asked before a client counts as ready, here and in BullMQ, of whatever server. */
const isOfAny = ({ name, args }: Command): boolean =>
  name === 'info' || (name === 'cluster' && String(args[0]).toUpperCase() === 'INFO');
