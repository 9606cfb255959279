// Calls on the devices that pushes go to, and on what is pushed.
import type { FastifyInstance } from 'fastify';
import { pushRoutes as routes, type PushDevice } from '#core/contract/index.ts';
import type { PushDeviceRecord } from '#core/domain/push.ts';
import { QinboxError } from '#core/errors.ts';
import { subjectOf } from '#core/services/access.ts';
import { deviceNotFound } from '#core/services/push/devices.ts';
import { signedIn } from '../plugins/caller.ts';
import { isoTime } from '../present/time.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<
  Parts,
  'access' | 'inbox' | 'push' | 'pushActions' | 'pushKeys' | 'pushDevices' | 'pushRules'
>;

export function addPushRoutes(app: FastifyInstance, deps: Deps): void {
  const { access, inbox, push, pushActions, pushKeys, pushDevices, pushRules } = deps;

  addRoute(app, routes.get, async (request) => {
    const { ownerId } = signedIn(request);
    const [{ publicKey }, devices, rules] = await Promise.all([
      pushKeys(),
      pushDevices.list(ownerId),
      pushRules.get(ownerId),
    ]);
    return ok({ push: { publicKey, devices: devices.map(presentDevice), rules } });
  });

  addRoute(app, routes.addDevice, async (request) => {
    const caller = signedIn(request);
    const key = caller.kind === 'key' ? { id: caller.keyId, until: caller.expiresAt } : undefined;
    const device = await pushDevices.add(caller.ownerId, request.body, key);
    // One whose session or key has ended meanwhile leaves nothing that is told of tasks.
    if ((await access.reinstate(subjectOf(caller))) !== null) return ok({ device: presentDevice(device) });
    await pushDevices.forget(caller.ownerId, device.id);
    throw new QinboxError('UNAUTHORIZED');
  });

  addRoute(app, routes.removeDevice, async (request) => {
    await pushDevices.remove(signedIn(request).ownerId, request.params.id);
    return ok();
  });

  addRoute(app, routes.testDevice, async (request) => {
    if (!(await push.test(signedIn(request).ownerId, request.params.id))) throw deviceNotFound();
    return ok();
  });

  addRoute(app, routes.act, async ({ body: { token, action } }) => {
    const task = await pushActions.taskOf(token);
    if (task === null)
      throw new QinboxError('UNAUTHORIZED', 'This notification can act no longer. Open Qinbox instead.');
    await (action === 'pin' ? inbox.pin(task, true) : inbox.acknowledge(task));
    return ok();
  });

  addRoute(app, routes.setRules, async (request) =>
    ok({ rules: await pushRules.set(signedIn(request).ownerId, request.body) }),
  );
}

function presentDevice({ id, name, createdAt, lastUsedAt }: PushDeviceRecord): PushDevice {
  return {
    id,
    name,
    createdAt: isoTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}
