// The client of a Redis Cluster that begins to work also while one of its servers hangs: what any server can
// answer is answered by the first, and not by one that is chosen at random and waited for.
import { Cluster, type Command } from 'ioredis';

type Stream = Parameters<Cluster['sendCommand']>[1];

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
