// The intakes, webhooks, views, choices of pushes, escalations and digest of an account's file.
import { isDeepStrictEqual } from 'node:util';
import type { AccountFile, FileIntake, FileWebhook } from '#core/contract/index.ts';
import { importedId } from '#core/domain/account-file.ts';
import { QinboxError } from '#core/errors.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { IntakeStore } from '#core/ports/intake-store.ts';
import type { PushStore } from '#core/ports/push-store.ts';
import type { Digests } from '#core/services/digests.ts';
import type { Escalations } from '#core/services/escalation/escalations.ts';
import type { ImportReport } from './import-report.ts';
import { createImportNames, type ImportNames } from './import-names.ts';
import { needsSecret } from '#core/services/intakes/settings.ts';
import type { Intakes } from '#core/services/intakes/intakes.ts';
import { requireAllowed, type IsAllowed } from '#core/services/principal.ts';
import { rulesAt, type PushRulesService } from '#core/services/push/rules.ts';
import type { Views } from '#core/services/views.ts';
import type { Webhooks } from '#core/services/webhooks/webhooks.ts';
import type { WebhookStore } from '#core/ports/webhook-store.ts';

export interface SettingsParts {
  intakeStore: Pick<IntakeStore, 'get'>;
  intakes: Pick<Intakes, 'create' | 'check' | 'kindOf' | 'revoke'>;
  webhookStore: Pick<WebhookStore, 'get'>;
  webhooks: Pick<Webhooks, 'create' | 'check' | 'remove'>;
  views: Pick<Views, 'list' | 'create' | 'check'>;
  push: Pick<PushStore, 'get'>;
  pushRules: Pick<PushRulesService, 'set' | 'check'>;
  escalations: Pick<Escalations, 'list' | 'create' | 'check' | 'places'>;
  digests: Pick<Digests, 'get' | 'set' | 'check'>;
  clock: Clock;
}

const SWITCHED_OFF =
  'It came from a file, without its secret. Make a new one, give it to the receiver, then save the webhook: that switches it on.';

/** Ids of one account that lead to others; how many of them are looked at. */
const ROUNDS = 8;

/** A part of the file that is under way. */
interface Step {
  ownerId: string;
  report: ImportReport;
  isAllowed: IsAllowed;
  names: ImportNames;
}

export function createSettingsImport(parts: SettingsParts) {
  const importIntake = createIntakeImport(parts);
  const importWebhook = createWebhookImport(parts);
  const importOthers = createOthersImport(parts);

  /** Answers what the intakes of the file are called here. */
  return async (
    ownerId: string,
    file: AccountFile,
    report: ImportReport,
    isAllowed: IsAllowed,
  ): Promise<(id: string) => string> => {
    const step: Step = { ownerId, report, isAllowed, names: createImportNames() };
    for (const intake of file.intakes) await importIntake(intake, step);
    for (const webhook of file.webhooks) await importWebhook(webhook, step);
    await importOthers(file, step);
    for (const { name } of file.keys)
      report.leave('keys', name, 'A key is in no file. Make it again, and give it to its program.');
    return step.names.idOf;
  };
}

/** The first id that is the thing's own already, or free: `true` when it is there. */
async function placeOf(
  ownerId: string,
  id: string,
  has: (id: string) => Promise<boolean>,
): Promise<{ id: string; isThere: boolean; others: string[] }> {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => importedId(ownerId, id, round));
  for (const candidate of [id, ...rounds])
    if (await has(candidate)) return { id: candidate, isThere: true, others: [] };
  const [first = id, ...others] = rounds;
  return { id: first, isThere: false, others };
}

/** Makes the thing under the first id that is free: one that was deleted a while ago may still be stored. */
async function makeUnder<T>(ids: readonly string[], make: (id: string) => Promise<T>): Promise<string> {
  for (const [index, id] of ids.entries())
    try {
      await make(id);
      return id;
    } catch (error) {
      const isTaken = error instanceof QinboxError && error.code === 'CONFLICT' && IN_USE.test(error.message);
      if (!isTaken || index === ids.length - 1) throw error;
    }
  throw new QinboxError('CONFLICT');
}

/** What the stores say of an id that is stored already. */
const IN_USE = /exists already|conflicts with what is there/;

function createIntakeImport({ intakeStore, intakes }: SettingsParts) {
  return async (from: FileIntake, step: Step): Promise<void> => {
    const { ownerId, report, isAllowed, names } = step;
    const { id: before, verification, paused, ...settings } = from;
    const has = async (id: string) => (await intakeStore.get(ownerId, id)) !== null;
    const place = await placeOf(ownerId, before, has);
    names.set(before, place.id);
    if (place.isThere) return report.find('intakes');
    const input = { ...settings, verification: { ...verification.options, scheme: verification.scheme } };
    const isTaken = await report.attempt('intakes', from.name, async () => {
      await intakes.check(ownerId, input, report.coming('intakes'));
      if (report.dryRun) return;
      const waits = needsSecret(intakes.kindOf(from.adapter), verification.scheme);
      const id = await makeUnder([place.id, ...place.others], (wanted) =>
        intakes.create(ownerId, input, { id: wanted, paused: paused || waits }),
      );
      names.set(before, id);
      await requireAllowed(isAllowed, () => intakes.revoke(ownerId, id));
    });
    if (!isTaken) return names.leave(before, from.name);
    report.take('intakes');
    report.note(
      'intakes',
      from.name,
      whatToDo(needsSecret(intakes.kindOf(from.adapter), verification.scheme)),
    );
  };
}

function whatToDo(isSecret: boolean): string {
  return isSecret
    ? 'It has a new address and is paused: give it a secret, give both to the sender, then let it go on.'
    : 'It has a new address: give it to the sender.';
}

function createWebhookImport({ webhookStore, webhooks }: SettingsParts) {
  return async (from: FileWebhook, step: Step): Promise<void> => {
    const { ownerId, report, isAllowed, names } = step;
    const { id: before, ...settings } = from;
    const has = async (id: string) => (await webhookStore.get(ownerId, id)) !== null;
    const place = await placeOf(ownerId, before, has);
    names.set(before, place.id);
    if (place.isThere) return report.find('webhooks');
    const { filter = {} } = settings;
    const intakes = filter.intakes?.map(names.idOf);
    const input = { ...settings, filter: { ...filter, ...(intakes === undefined ? {} : { intakes }) } };
    const isTaken = await report.attempt('webhooks', from.name, async () => {
      await webhooks.check(ownerId, input, report.coming('webhooks'));
      names.requireTaken(input.filter);
      if (report.dryRun) return;
      const id = await makeUnder([place.id, ...place.others], (wanted) =>
        webhooks.create(ownerId, input, { id: wanted, off: SWITCHED_OFF }),
      );
      names.set(before, id);
      await requireAllowed(isAllowed, () => webhooks.remove(ownerId, id));
    });
    if (!isTaken) return names.leave(before, from.name);
    report.take('webhooks');
    report.note(
      'webhooks',
      from.name,
      'It is switched off: make a new secret, give it to the receiver, then save it.',
    );
  };
}

function createViewsImport({ views }: SettingsParts) {
  return async ({ views: wanted }: AccountFile, step: Step): Promise<void> => {
    const { ownerId, report, names } = step;
    const caller = { kind: 'key', ownerId, keyId: '', scopes: ['read', 'write'], expiresAt: null } as const;
    for (const { name, key, query } of wanted) {
      const view = { name, key, query: names.renamed(query) };
      const there = await views.list(caller);
      if (there.some((one) => one.name === name.trim() && one.query === view.query)) {
        report.find('views');
        continue;
      }
      const isFree = key === null || there.every((one) => one.key !== key);
      const isTaken = await report.attempt('views', name, async () => {
        names.requireTaken(query);
        const input = { ...view, key: isFree ? key : null };
        if (report.dryRun) await views.check(caller, input, report.coming('views'));
        else await views.create(caller, input);
      });
      if (!isTaken) continue;
      report.take('views');
      if (!isFree) report.note('views', name, `Its key ${key} is another view's: give it another one.`);
    }
  };
}

function createOthersImport(parts: SettingsParts) {
  const { push, pushRules, escalations, digests, clock } = parts;
  const importViews = createViewsImport(parts);

  async function importRules({ pushRules: wanted }: AccountFile, step: Step): Promise<void> {
    const { ownerId, report, names } = step;
    if (wanted === null) return;
    const intakes = wanted.intakes?.map(names.idOf) ?? null;
    const now = clock.now();
    const rules = rulesAt({ ...wanted, intakes }, now);
    const there = (await push.get(ownerId))?.rules ?? null;
    if (there !== null && isDeepStrictEqual({ ...rulesAt(there, now) }, rules))
      return report.find('pushRules');
    const isTaken = await report.attempt('pushRules', '', async () => {
      if (there !== null) throw new QinboxError('CONFLICT', 'This account has its own choices of pushes.');
      pushRules.check(rules);
      names.requireTaken(rules);
      if (!report.dryRun) await pushRules.set(ownerId, rules);
    });
    if (!isTaken) return;
    report.take('pushRules');
    report.note('pushRules', '', 'Devices are in no file: turn pushes on in each browser again.');
  }

  async function importEscalations(file: AccountFile, step: Step): Promise<void> {
    const { ownerId, report, names } = step;
    for (const { name, intake, priorities, paused, steps } of file.escalations) {
      const target = intake === null ? null : names.idOf(intake);
      const there = (await escalations.list(ownerId)).find((one) => one.intake === target);
      if (there?.name === name.trim()) {
        report.find('escalations');
        continue;
      }
      // The address of a Slack webhook lets anybody post: it is in no file. Accounts may be linked here, too.
      const places = new Set((await escalations.places(ownerId)).map(({ id }) => id));
      const left = steps.filter(({ kind, to }) => kind !== 'slack' || (to !== null && places.has(to)));
      const isWhole = left.length === steps.length;
      const input = {
        name,
        intake: target,
        priorities: [...priorities],
        paused: paused || !isWhole,
        steps: left.map(({ afterMinutes, kind, to }) => ({
          afterMinutes,
          kind,
          ...(to === null ? {} : { to: names.idOf(to) }),
        })),
      };
      const isTaken = await report.attempt('escalations', name, async () => {
        names.requireTaken(input);
        if (there !== undefined)
          throw new QinboxError('CONFLICT', `“${there.name}” is for the same tasks already.`);
        if (left.length === 0)
          throw new QinboxError(
            'CONFLICT',
            'Its steps go to Slack: addresses are in no file, and no such account is linked here. Make it again.',
          );
        // Webhooks that a dry run has not made cannot be looked for.
        if (report.dryRun)
          await escalations.check(ownerId, withoutNew(input, file, names), report.coming('escalations'));
        else await escalations.create(ownerId, input);
      });
      if (!isTaken) continue;
      report.take('escalations');
      if (!isWhole)
        report.note('escalations', name, 'It is paused: add its steps to Slack again, then let it go on.');
    }
  }

  async function importDigest({ digest }: AccountFile, { ownerId, report }: Step): Promise<void> {
    if (digest === null) return;
    const there = await digests.get(ownerId);
    if (there !== null && isDeepStrictEqual({ ...there }, { ...digest })) return report.find('digest');
    const isTaken = await report.attempt('digest', '', async () => {
      if (there !== null) throw new QinboxError('CONFLICT', 'This account has its own digest.');
      digests.check(digest);
      if (!report.dryRun) await digests.set(ownerId, digest);
    });
    if (isTaken) report.take('digest');
  }

  return async (file: AccountFile, step: Step): Promise<void> => {
    for (const part of [importViews, importRules, importEscalations, importDigest]) {
      await requireAllowed(step.isAllowed);
      await part(file, step);
    }
  };
}

type Input = Parameters<Escalations['create']>[1];

function withoutNew(input: Input, { webhooks }: AccountFile, { idOf }: ImportNames): Input {
  const made = new Set(webhooks.map(({ id }) => idOf(id)));
  return {
    ...input,
    steps: input.steps.filter(({ kind, to }) => kind !== 'webhook' || to === undefined || !made.has(to)),
  };
}
