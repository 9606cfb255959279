// Measurements that a part of the program offers to those who watch the server.

/** Values of labels are few and known: no id, no address, nothing that a sender chooses. */
export interface Meter {
  /** Counts up, by the values of one label. The name ends in `_total`. */
  counter(name: string, help: string, label: string): (value: string) => void;
  /** Is asked whenever the measurements are read. */
  gauge(name: string, help: string, read: () => number): void;
}
