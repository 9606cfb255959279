// The digest of an owner: when and how it comes, and its sending.
import {
  dayAfter,
  DIGEST_MARK,
  DIGEST_WORK,
  digestId,
  digestLane,
  digestText,
  latestDigest,
  linesOf,
  MAX_LINES,
  type Digest,
} from '../domain/digest.ts';
import { MAYBE_REPEAT } from '../domain/escalation-texts.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import type { Work } from '../domain/work.ts';
import { invalid } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { FollowUpStore } from '../ports/follow-up-store.ts';
import type { WorkStore } from '../ports/work-store.ts';
import { pushed } from './escalation/channels.ts';
import type { Mail } from './mail.ts';
import type { Push } from './push/push.ts';
import type { Submissions } from './submissions.ts';
import type { WorkHandler } from './work/runner.ts';
import { carriedOut, noteSending, sentAtOf, type StepAnswer } from './work/steps.ts';

interface SettingsParts {
  followUps: FollowUpStore;
  work: Pick<WorkStore, 'get' | 'removeLane'>;
  mail: Pick<Mail, 'isSent'>;
  clock: Clock;
}

export type Digests = ReturnType<typeof createDigests>;

export function createDigests({ followUps, work, mail, clock }: SettingsParts) {
  function check(digest: Digest): void {
    if (!isTimeZone(digest.zone))
      throw invalid([
        {
          field: 'digest/zone',
          message: 'must be a time zone of the IANA database, such as Europe/Berlin',
        },
      ]);
    if (digest.to.includes('mail') && !mail.isSent)
      throw invalid([
        {
          field: 'digest/to',
          message:
            'must be without mail: this server sends none (the operator names a relay with MAIL_RELAY_URL)',
        },
      ]);
  }

  /** When the digest may come first, where that of the day has come at its former hour; else undefined. */
  async function firstDay({ zone }: Digest, ownerId: string): Promise<number | undefined> {
    const { digest: before = null, digestFrom = 0 } = (await followUps.get(ownerId)) ?? {};
    if (before === null) return undefined;
    const now = clock.now();
    const latest = latestDigest(before, now);
    const ways = before.to.map((to) => work.get(ownerId, digestLane(ownerId), digestId(latest, to)));
    const hasCome = (await Promise.all(ways)).some((one) => one !== null);
    const from = Math.max(digestFrom, hasCome ? dayAfter(zone, latest) : 0);
    return from > now ? from : undefined;
  }

  return {
    /** Whether there can be such a digest. VALIDATION_ERROR. */
    check,

    async get(ownerId: string): Promise<Digest | null> {
      return (await followUps.get(ownerId))?.digest ?? null;
    },

    /** Null switches it off. VALIDATION_ERROR with the field at fault. */
    async set(ownerId: string, digest: Digest | null): Promise<Digest | null> {
      if (digest !== null) check(digest);
      const digestFrom = digest === null ? undefined : await firstDay(digest, ownerId);
      const changed = await followUps.change(ownerId, ({ digestFrom: _before, ...others }) => ({
        ...others,
        digest,
        ...(digestFrom === undefined ? {} : { digestFrom }),
      }));
      if (digest === null) await work.removeLane(digestLane(ownerId));
      return changed.digest;
    },
  };
}

interface Parts {
  followUps: FollowUpStore;
  work: WorkStore;
  accounts: Pick<AccountStore, 'getUser'>;
  submissions: Pick<Submissions, 'store'>;
  mail: Pick<Mail, 'send'>;
  push: Pick<Push, 'notice'>;
  mayUse: (ownerId: string) => Promise<boolean>;
  clock: Clock;
  /** The address of the inbox, without a slash at the end. */
  publicUrl: () => string;
}

const MOVED_AT_ONCE = 200;
/** Digests that are in their lane beside the lines: three ways, of some days. */
const DIGESTS_BESIDE = 20;

/** Where a digest goes; stored with its work. */
type Way = Digest['to'][number];

/** Sends the digests that are due, each way once; what was under way in a process that died is done again. */
export function createDigestSending(parts: Parts): WorkHandler {
  const { followUps, work, mayUse, clock } = parts;
  return {
    async begin({ id: lane, ownerId }) {
      if (((await followUps.get(ownerId))?.digest ?? null) === null) return 'gone';
      if (!(await mayUse(ownerId))) return 'hold';
      return {
        attempt: (one) =>
          carriedOut(one, { work, clock }, async () => {
            // What a process that died had not moved to its lane yet.
            while (await work.moveOn(MOVED_AT_ONCE));
            const lines = linesOf(await work.list(ownerId, lane, MAX_LINES + DIGESTS_BESIDE), one.createdAt);
            if (lines.length === 0) return { kind: 'done', detail: 'Nothing had expired unseen.' };
            return send(one, digestText(lines), parts);
          }),
        mostOnRecord: 'all',
      };
    },
  };
}

async function send(
  one: Work,
  { title, body }: ReturnType<typeof digestText>,
  { accounts, submissions, mail, push, publicUrl, work, clock }: Parts,
): Promise<StepAnswer> {
  const { ownerId, createdAt, payload } = one;
  const { to } = JSON.parse(payload) as { to: Way };
  const name = `${DIGEST_WORK} ${ownerId} ${createdAt}`;
  switch (to) {
    case 'task':
      await submissions.store({
        ownerId,
        adapter: DIGEST_WORK,
        requestId: name,
        claim: { scope: `${DIGEST_WORK}:${ownerId}`, key: String(createdAt), fingerprint: null },
        drafts: [
          {
            content: `${title}\n\n${body}`,
            priority: 'normal',
            source: 'integration',
            tags: ['digest'],
            metadata: { [DIGEST_MARK]: true },
            expiryMinutes: 24 * 60,
            dedupeKey: null,
            reopens: true,
          },
        ],
      });
      return { kind: 'done', detail: 'A task was made.' };
    case 'mail': {
      const user = await accounts.getUser(ownerId);
      if (user === null) return { kind: 'failed', detail: 'There is no such user.' };
      const first = sentAtOf(one) === null ? [] : [MAYBE_REPEAT];
      const text = `${[...first, title, body, `${publicUrl()}/inbox`].join('\n\n')}\n`;
      await noteSending(one, { work, clock });
      return mail.send(ownerId, { to: user.email, subject: title, text, messageId: name });
    }
    case 'push':
      return pushed(await push.notice(ownerId, { title, body, tag: 'digest' }));
  }
}
