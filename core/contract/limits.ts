// The limits that the contract, the server and the web app share. Units are in the names. Without imports, so
// that the web app can use the values as well.

/** Task lifetime when the sender names none: 24 hours. */
export const DEFAULT_EXPIRY_MINUTES = 1440;
/** Longest lifetime of a task, and how far ahead an extension may reach: 7 days. */
export const MAX_EXPIRY_MINUTES = 10_080;
/** Content is 1 to this many characters (Unicode code points) after trimming. */
export const MAX_CONTENT_CHARACTERS = 10_000;
/** Tags on one task, after empty and repeated ones are dropped. */
export const MAX_TAGS = 20;
/** Characters in one tag. */
export const MAX_TAG_CHARACTERS = 50;
/** Tags that one list is filtered by. */
export const MAX_TAG_FILTERS = 10;
/** Metadata as JSON in UTF-8. */
export const MAX_METADATA_BYTES = 16_384;
/** Tasks or ids in one batch call. */
export const MAX_BATCH_ITEMS = 500;
/** Dedupe keys that one delivery resolves. */
export const MAX_DELIVERY_RESOLVES = 5000;
/** Tasks in one page of a list. */
export const MAX_PAGE_LIMIT = 1000;
/**
 * Tasks in one answer, by what they take: 1 MiB, and one task at the least. So no answer holds up the others
 * for long.
 */
export const MAX_TASKS_BYTES = 1024 * 1024;
/** Tasks in the answer to a batch: all of them, unless its items repeat large ones again and again. 2 MiB. */
export const MAX_BATCH_ANSWER_BYTES = 2 * 1024 * 1024;
/** Page size when the caller names none. */
export const DEFAULT_PAGE_LIMIT = 100;
/** Characters of an `Idempotency-Key` or a dedupe key. */
export const MAX_KEY_CHARACTERS = 255;
/** How long an acknowledged task can be restored: 10 minutes. */
export const UNDO_WINDOW_MS = 10 * 60_000;
/** What a task whose time is up is given when it is unpinned or restored: 1 hour. */
export const GRACE_MS = 60 * 60_000;
/** How long idempotency keys and delivery ids are remembered: 24 hours. */
export const CLAIM_TTL_MS = 24 * 60 * 60_000;
/** Largest request body: 256 KiB. */
export const MAX_BODY_BYTES = 256 * 1024;
/** Largest body of a batch: 1 MiB. */
export const MAX_BATCH_BODY_BYTES = 1024 * 1024;
/** Active API keys of one user. */
export const MAX_ACTIVE_KEYS = 25;
/** How long a ticket for the live socket is good: 30 seconds. */
export const LIVE_TICKET_TTL_MS = 30_000;
/** Characters of a password, at least. */
export const MIN_PASSWORD_CHARACTERS = 8;
/** Characters of a password, at most; hashing costs by length. */
export const MAX_PASSWORD_CHARACTERS = 200;
/** Intakes of one user that are not revoked. */
export const MAX_INTAKES = 100;
/** Deliveries a minute to one intake, whatever its own cap. */
export const INTAKE_PER_MINUTE = 600;
/** Longest that an address or a secret of an intake may stay good after it is replaced: 30 days. */
export const MAX_ROTATION_GRACE_MINUTES = 43_200;
/**
 * How long an intake's secret stays good once it is replaced, when its owner chooses no other time: 24 hours.
 */
export const DEFAULT_SECRET_GRACE_MINUTES = 1440;
/** Largest body of a delivery to a webhook: 1 MiB. */
export const MAX_HOOK_BODY_BYTES = 1024 * 1024;
/** What is kept of a delivery's body, to be shown and read again: 64 KiB. */
export const MAX_STORED_BODY_BYTES = 64 * 1024;
/** Characters of one Liquid template. */
export const MAX_TEMPLATE_CHARACTERS = 4000;
/** Saved views of one user. */
export const MAX_VIEWS = 50;
/** Devices of one user that pushes are sent to. */
export const MAX_PUSH_DEVICES = 20;
/** Intakes, or tags, that pushes are chosen by. */
export const MAX_PUSH_FILTERS = 50;
/** Webhooks out of one user. */
export const MAX_WEBHOOKS = 10;
/** Characters of the address of a webhook. */
export const MAX_WEBHOOK_URL_CHARACTERS = 2000;
/** Escalations of one user. */
export const MAX_ESCALATIONS = 50;
/** Steps of one escalation. */
export const MAX_ESCALATION_STEPS = 10;
/** Largest file of an account that is taken in: 16 MiB. */
export const MAX_ACCOUNT_FILE_BYTES = 16 * 1024 * 1024;
