// What the processes of the abuse measurements are told, and what they say at their end, as JSON.

/** Of the normal user. */
export interface UserSettings {
  url: string;
  /** API keys, used in turn. */
  keys: readonly string[];
  /** A signed intake. */
  hook: { url: string; secret: string; header: string; prefix: string };
  mail: { port: number; address: string };
  perSecond: number;
  seconds: number;
}

export interface UserReport {
  /** Of creates, lists, acknowledgements, deliveries and live messages. */
  latenciesMs: number[];
  mailsMs: number[];
  /** What did not go as it should, in words. */
  wrong: string[];
  done: number;
}

/** Settings of the abusers; each uses what it needs. */
export interface AbuserSettings {
  url: string;
  /** API keys of its own, used in turn. */
  keys: readonly string[];
  /** The normal user's signed intake, whose secret it does not know. */
  hookUrl: string;
  mailPort: number;
  seconds: number;
}

/** The line of an abuser who was refused something for the first time. */
export const REFUSED = 'refused\n';

/** How often it was answered what: statuses, and words for what has none. */
export type AbuserReport = Record<string, number>;
