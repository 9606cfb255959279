// Builds the services of what happens when nobody acknowledges: escalations and digests, with mail.
import { DIGEST_WORK } from '#core/domain/digest.ts';
import { ESCALATION_WORK } from '#core/domain/escalation.ts';
import { PUSH_WORK } from '#core/domain/push-work.ts';
import type { Accounts } from '#core/services/accounts.ts';
import { createDigests, createDigestSending } from '#core/services/digests.ts';
import { createEscalationChannels } from '#core/services/escalation/channels.ts';
import { createEscalations } from '#core/services/escalation/escalations.ts';
import { createEscalationSteps } from '#core/services/escalation/steps.ts';
import { createMail } from '#core/services/mail.ts';
import { createReadAddress } from '#core/services/outgoing-address.ts';
import type { Push } from '#core/services/push/push.ts';
import type { Submissions } from '#core/services/submissions.ts';
import type { WorkHandler } from '#core/services/work/runner.ts';
import { createChat } from './chat.ts';
import type { Context } from './context.ts';

interface Parts {
  accounts: Accounts;
  submissions: Submissions;
  push: Push;
  publicUrl: () => string;
}

export function createFollowUpServices(context: Context, { accounts, submissions, push, publicUrl }: Parts) {
  const { storage, outgoing, mailer, limiter, clock, config, encryption, nextId, metrics } = context;
  const { followUps, webhooks, work, tasks } = storage;
  const chat = createChat(context);
  const mail = createMail({
    mailer,
    accounts,
    limiter,
    clock,
    perHour: config.mail?.perOwnerPerHour ?? 0,
  });
  const mayUse = (ownerId: string) => accounts.mayBeUsed(ownerId);
  const observe = metrics.meter.counter(
    'escalation_steps_total',
    'Steps of escalations that were due, by what came of them.',
    'outcome',
  );
  const channels = createEscalationChannels({
    push,
    outgoing,
    mail: mail.send,
    webhooks,
    work,
    encryption,
    chat,
    clock,
    publicUrl,
  });
  const handlers: Record<string, WorkHandler> = {
    [PUSH_WORK]: push.handler,
    [ESCALATION_WORK]: createEscalationSteps({ followUps, tasks, work, channels, mayUse, clock, observe }),
    [DIGEST_WORK]: createDigestSending({
      followUps,
      work,
      accounts: storage.accounts,
      submissions,
      mail,
      push,
      mayUse,
      clock,
      publicUrl,
    }),
  };
  return {
    mail,
    handlers,
    escalations: createEscalations({
      followUps,
      webhooks,
      work,
      encryption,
      chat,
      clock,
      nextId,
      mailRefusal: mail.refusal,
      readAddress: createReadAddress({ mayReach: outgoing.mayReach, allowHttp: config.webhookHttp }),
    }),
    digests: createDigests({ followUps, work, mail, clock }),
  };
}
