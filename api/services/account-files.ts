// Builds the services that make the file of an account, and take one in.
import { createAccountExport } from '#core/services/account/export.ts';
import { createAccountImport } from '#core/services/account/import.ts';
import type { Digests } from '#core/services/digests.ts';
import type { Escalations } from '#core/services/escalation/escalations.ts';
import type { Intakes } from '#core/services/intakes/intakes.ts';
import type { PushRulesService } from '#core/services/push/rules.ts';
import type { Views } from '#core/services/views.ts';
import type { Webhooks } from '#core/services/webhooks/webhooks.ts';
import type { Context } from './context.ts';

interface Parts {
  intakes: Intakes;
  views: Views;
  webhooks: Webhooks;
  pushRules: PushRulesService;
  escalations: Escalations;
  digests: Digests;
}

export function createAccountFileServices(
  { storage, bus, clock }: Context,
  { intakes, views, webhooks, pushRules, escalations, digests }: Parts,
) {
  const exports = createAccountExport({ storage, clock });
  const importAccount = createAccountImport({
    storage,
    bus,
    clock,
    exports,
    intakes,
    views,
    webhooks,
    pushRules,
    escalations,
    digests,
    intakeStore: storage.intakes,
    webhookStore: storage.webhooks,
    push: storage.push,
  });
  return { exports, importAccount };
}
