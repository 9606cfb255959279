// Stores secrets that the program makes for itself once, for all processes. They arrive encrypted. Every
// method throws SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve.

export interface SecretStore {
  /**
   * Stores the value unless there is one under this id other than `instead`; answers what is
   * stored then. Atomic: all processes get the same.
   */
  ensure(id: string, value: string, instead: string | null): Promise<string>;
  get(id: string): Promise<string | null>;
}
