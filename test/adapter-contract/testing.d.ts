// The types of `qinbox/testing`, apart from its code, so that who uses them need not type-check a whole
// server.
import type { ContractOptions, ContractTest, QinboxOptions, RunningQinbox } from './sender.ts';

export type {
  ContractOptions,
  ContractTest,
  QinboxOptions,
  RunningQinbox,
  SeenTask,
  Sender,
  ServerAddress,
} from './sender.ts';

/**
 * What holds for every ingestion adapter, as tests for any runner:
 * `for (const { name, run } of contractTests({ adapter, openSender })) test(name, run);`
 */
export declare function contractTests(options: ContractOptions): ContractTest[];

/** Starts a Qinbox with the adapter, for tests of the adapter's own rules. Its user is owner@example.com. */
export declare function startQinbox(options: QinboxOptions): Promise<RunningQinbox>;
