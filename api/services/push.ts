// Builds the services that tell devices of tasks.
import type { PushIdentity } from '#core/ports/push-sender.ts';
import { isAdministrator } from '#core/domain/account.ts';
import { LOCAL_OWNER_EMAIL, type Accounts } from '#core/services/accounts.ts';
import { createPushActions } from '#core/services/push/actions.ts';
import { createPushDelivery } from '#core/services/push/delivery.ts';
import { createPushKeys } from '#core/services/push/keys.ts';
import { createPushDevices } from '#core/services/push/devices.ts';
import { createPushRules } from '#core/services/push/rules.ts';
import { createPushTargets } from '#core/services/push/targets.ts';
import { createPush } from '#core/services/push/push.ts';
import { publicUrlOf } from '../addresses.ts';
import type { Context } from './context.ts';

export function createPushServices(context: Context, accounts: Accounts) {
  const { storage, bus, clock, nextId, encryption, config, metrics, pushSender, onError } = context;
  const store = storage.push;
  const pushKeys = createPushKeys(storage.secrets, encryption);
  const pushDevices = createPushDevices({ store, encryption, bus, clock, nextId });
  const pushRules = createPushRules({ store, bus, clock });
  let publicUrl = () => publicUrlOf(config);
  const subject = createSubject(context);
  const targets = createPushTargets({
    store,
    accounts: storage.accounts,
    mayUse: accounts.mayUse,
    subscriptionOf: pushDevices.subscriptionOf,
    bus,
    clock,
  });
  const delivery = createPushDelivery({
    sender: pushSender,
    clock,
    identity: async (): Promise<PushIdentity> => ({ keys: await pushKeys(), subject: await subject() }),
    observer: metrics.pushes(context.log),
    current: targets.device,
    forget: pushDevices.forget,
    used: pushDevices.noteUse,
    onError,
  });
  const pushActions = createPushActions({ encryption, targets, clock });
  const push = createPush({
    store,
    tasks: storage.tasks,
    work: storage.work,
    targets,
    delivery,
    actions: pushActions,
    clock,
    publicUrl: () => publicUrl(),
    onError,
  });
  return {
    push,
    pushActions,
    pushKeys,
    pushDevices,
    pushRules,
    /** The address of the inbox, without a slash at the end. */
    publicUrl: () => publicUrl(),
    /** Says where the inbox is, once that is known. */
    goTo(address: () => string): void {
      publicUrl = address;
    },
  };
}

/** How push services reach the operator: as configured, else what is known of the server, else of people. */
function createSubject({ config, storage }: Context): () => Promise<string> {
  const { vapidSubject, publicUrl, supportEmail } = config;
  let found = vapidSubject;
  if (found === null && publicUrl?.startsWith('https://') === true) found = publicUrl;
  if (found === null && supportEmail !== null) found = `mailto:${supportEmail}`;
  return async () => {
    if (found !== null) return found;
    const users = await storage.accounts.listUsers();
    const first = users.find((user) => isAdministrator(user) && user.email !== LOCAL_OWNER_EMAIL);
    found = `mailto:${first?.email ?? LOCAL_OWNER_EMAIL}`;
    return found;
  };
}
