// The processes of one installation, and what each of them counts.

export interface ProcessFigures {
  /** Tells one process from another. */
  instance: string;
  /** Its roles, separated by commas. */
  role: string;
  version: string;
  /** In milliseconds. */
  startedAt: number;
  liveConnections: number;
  tasksCreated: { lastMinute: number; lastHour: number };
}

export interface Processes {
  /** From now on tells the others of this process, every few seconds. */
  announce(read: () => ProcessFigures): void;
  /** All that run, by their names; this one alone where the others cannot be asked. */
  list(): Promise<ProcessFigures[]>;
  /** Tells the others that this one is gone. Twice is fine. */
  close(): Promise<void>;
}
