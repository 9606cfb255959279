// Every route of the contract × every kind of caller: the status that the route's access promises. Generated,
// so that a new route is held to it from its first day.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes, type RouteRecord, type Scope } from '#core/contract/index.ts';
import { slackRoutes } from '#adapters/ingestion/slack/contract.ts';
import { accountKey, LINK_KINDS, SLACK } from '#adapters/ingestion/slack/records/link-records.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { createSubscriptionKeys } from '#test/helpers/push-keys.ts';

const LETTERBOX = fileURLToPath(new URL('../helpers/letterbox.ts', import.meta.url));
const groups: Record<string, Record<string, RouteRecord>> = { ...routes, slack: slackRoutes };
const records = Object.values(groups).flatMap((group) => Object.values(group));
/** A name is given once, so each call has its own. */
function viewBodies(name: string): Record<string, unknown> {
  return {
    createView: { name, key: null, query: 'q=x' },
    saveView: { name, key: null, query: 'q=y' },
  };
}

/** Its push service is an address that is never reached. */
const pushDevice = {
  endpoint: 'https://127.0.0.1/matrix',
  keys: createSubscriptionKeys().keys,
  name: 'x',
};

/** Nobody answers there. */
const webhook = { name: 'x', url: 'https://127.0.0.1/matrix', events: ['task.created' as const] };

const escalation = (intake: string) => ({
  name: 'x',
  intake,
  priorities: ['high' as const],
  steps: [{ afterMinutes: 5, kind: 'push' as const }],
});

/** Bodies that are right for each route that takes one. */
const BODIES: Record<string, unknown> = {
  createTask: { content: 'x' },
  createTasks: { tasks: [{ content: 'x' }] },
  editTask: { content: 'y' },
  changeTasks: { tasks: [{ id: 'task_none', pinned: true }] },
  pinTask: { pinned: true },
  extendTask: { minutes: 5 },
  snoozeTask: { minutes: 5 },
  acknowledgeTasks: { ids: ['task_none'] },
  resolveTasks: { dedupeKeys: ['none'] },
  restoreTasks: { ids: ['task_none'] },
  signInWithGoogle: { idToken: 'x' },
  signUp: { name: 'x', email: 'matrix@example.com', password: 'long enough' },
  signIn: { email: 'matrix@example.com', password: 'long enough' },
  signInWithLink: { token: 'x' },
  refreshSession: { refreshToken: 'x' },
  editProfile: { name: 'x' },
  createApiKey: { name: 'x' },
  createIntake: { name: 'x', adapter: 'letterbox', verification: { scheme: 'none' } },
  editIntake: { name: 'y' },
  rotateIntake: { graceMinutes: 5 },
  previewIntake: {},
  ...viewBodies('x'),
  inviteUser: { email: 'invited@example.com' },
  editUser: { is_active: true },
  addPushDevice: pushDevice,
  actOnPush: { token: 'x', action: 'pin' },
  setPushRules: DEFAULT_RULES,
  createWebhook: webhook,
  saveWebhook: webhook,
  createEscalation: escalation('in_made'),
  saveEscalation: escalation('in_saved'),
  setDigest: { digest: { time: '08:00', zone: 'UTC', to: ['task'] } },
  importAccount: {
    qinbox: 'account',
    version: 1,
    exportedAt: '2026-11-21T09:00:00.000Z',
    notIncluded: [],
    profile: { email: 'x', name: 'x', avatar_url: null, created_at: '2026-11-21T09:00:00.000Z' },
    ...{
      views: [],
      pushRules: null,
      digest: null,
      escalations: [],
      keys: [],
      webhooks: [],
      intakes: [],
      tasks: [],
    },
    counts: { intakes: 0, webhooks: 0, views: 0, pushRules: 0, escalations: 0, digest: 0, keys: 0, tasks: 0 },
  },
  deleteAccount: { confirm: 'x' },
  tieSlackChannel: { channel: 'C0123ABCD', owner: 'owner@localhost' },
};

type Caller =
  | 'nobody'
  | 'expired token'
  | 'key of the wrong scope'
  | 'key'
  | "other user's key"
  | 'session'
  | "other user's session"
  | 'admin';
const CALLERS: Caller[] = [
  'nobody',
  'expired token',
  'key of the wrong scope',
  'key',
  "other user's key",
  'session',
  "other user's session",
  'admin',
];
const WRONG_SCOPE: Partial<Record<RouteRecord['access'], Scope>> = {
  guest: 'ingest',
  read: 'ingest',
  write: 'read',
  'read-write': 'write',
  create: 'read',
};

/**
 * What the access of a route promises a caller: a status, or that it is let in (anything but 401 and 403).
 */
function promised({ access, path }: RouteRecord, caller: Caller): number | 'let in' {
  if (access === 'public') return 'let in';
  // Closed, where no token is configured.
  if (access === 'metrics') return 404;
  if (caller === 'nobody' || caller === 'expired token') return 401;
  const byKey = caller.includes('key');
  if (caller === 'key of the wrong scope' && WRONG_SCOPE[access] !== undefined) return 403;
  if (access === 'session' && byKey) return 403;
  if (access === 'admin' && caller !== 'admin') return 403;
  const others = caller === "other user's key" || caller === "other user's session" || caller === 'admin';
  return others && path.includes(':id') ? 404 : 'let in';
}

let fixture: Fixture;
let addresses = 0;
beforeAll(async () => {
  fixture = await buildFixture({ QINBOX_ADAPTERS: LETTERBOX, OUTGOING_ALLOW: '127.0.0.1' });
});
afterAll(() => fixture.close());

describe.each(records.filter(({ schema }) => schema.operationId !== 'live'))('$method $path', (record) => {
  // People of their own for each route, so that one application serves the whole matrix.
  const { operationId } = record.schema;
  const me = `me.${operationId.toLowerCase()}@example.com`;
  const other = `other.${operationId.toLowerCase()}@example.com`;
  const administrator = `admin.${operationId.toLowerCase()}@example.com`;

  /** An intake of this owner with a delivery that can be replayed. */
  async function intakeOf(ownerId: string): Promise<{ intakeId: string; deliveryId: string }> {
    const { intakes, intakePreviews, deliveries } = fixture.parts;
    const { id } = await intakes.create(ownerId, {
      name: 'x',
      adapter: 'letterbox',
      verification: { scheme: 'none' },
    });
    const { deliveryId } = await intakePreviews.test(ownerId, id, 'matrix');
    await deliveries.flush();
    return { intakeId: id, deliveryId };
  }

  /** A saved view of this owner. */
  async function viewOf(ownerId: string, name: string): Promise<string> {
    const caller = { kind: 'key', ownerId, keyId: 'x', scopes: [], expiresAt: null } as const;
    return (await fixture.parts.views.create(caller, { name, key: null, query: '' })).id;
  }

  /** A webhook of this owner, and a delivery to it. */
  async function webhookOf(ownerId: string): Promise<{ webhookId: string; sentId: string }> {
    const { webhooks } = fixture.parts;
    const made = (await webhooks.list(ownerId))[0] ?? (await webhooks.create(ownerId, webhook)).webhook;
    return { webhookId: made.id, sentId: (await webhooks.test(ownerId, made.id)).id };
  }

  /** An escalation of this owner. */
  async function escalationOf(ownerId: string): Promise<string> {
    const { escalations } = fixture.parts;
    const made = (await escalations.list(ownerId)).find(({ intake }) => intake === 'in_saved');
    return (made ?? (await escalations.create(ownerId, escalation('in_saved')))).id;
  }

  /** A linked Slack account of this owner. */
  async function slackAccountOf(ownerId: string): Promise<string> {
    const account = { teamId: 'T1', teamName: null, userId: 'U1', userName: null, linkedAt: 0, request: '' };
    const key = accountKey('T1', `U1${ownerId}`);
    await fixture.parts.storage.adapterData.put({
      adapter: SLACK,
      kind: LINK_KINDS.account,
      key,
      ownerId,
      value: JSON.stringify(account),
      expiresAt: null,
    });
    return key;
  }

  it.each(CALLERS)('gives %s what its access promises', async (caller) => {
    const { call, key, session, clock, parts, user } = fixture;
    const taskOf = await key(me);
    const made = await call('POST', '/tasks', { key: taskOf, body: { content: 'mine' } });
    const { id: taskId } = made.body['task'] as { id: string };
    const owner = await user(me);
    const { record: ownKey } = await parts.apiKeys.create(owner.id, { name: 'k' });
    const { intakeId, deliveryId } = record.path.startsWith('/intakes/:id')
      ? await intakeOf(owner.id)
      : { intakeId: null, deliveryId: '' };
    if (operationId === 'tieSlackChannel') await user('owner@localhost');
    const accountId = operationId === 'unlinkSlackAccount' ? await slackAccountOf(owner.id) : null;
    const viewId = record.path === '/views/:id' ? await viewOf(owner.id, `view of ${caller}`) : null;
    const deviceId = record.path.startsWith('/push/devices/:id')
      ? (await parts.pushDevices.add(owner.id, pushDevice)).id
      : null;
    const { webhookId, sentId } = record.path.startsWith('/webhooks/:id')
      ? await webhookOf(owner.id)
      : { webhookId: null, sentId: '' };
    const escalationId = record.path.startsWith('/escalations/:id') ? await escalationOf(owner.id) : null;
    const id =
      webhookId ??
      escalationId ??
      intakeId ??
      accountId ??
      viewId ??
      deviceId ??
      (operationId === 'revokeApiKey' ? ownKey.id : taskId);
    if (operationId === 'restoreTask') await call('DELETE', `/tasks/${taskId}`, { key: taskOf });

    const credentials = await (async () => {
      switch (caller) {
        case 'nobody':
          return {};
        case 'expired token': {
          const { accessToken } = await session(me);
          clock.advance(15 * 60_000);
          return { token: accessToken };
        }
        case 'key of the wrong scope':
          return { key: await key(me, [WRONG_SCOPE[record.access] ?? 'read']) };
        case 'key':
          return { key: taskOf };
        case "other user's key":
          return { key: await key(other) };
        case 'session':
          return { token: (await session(me)).accessToken };
        case "other user's session":
          return { token: (await session(other)).accessToken };
        case 'admin': {
          const admin = await user(administrator);
          await parts.storage.accounts.changeUser(admin.id, (account) => ({ ...account, isAdmin: true }));
          return { token: (await session(administrator)).accessToken };
        }
      }
    })();

    if (record.schema.body !== undefined)
      expect(BODIES, `a right body for ${operationId}`).toHaveProperty(operationId);
    const confirm = caller === 'admin' ? administrator : caller.startsWith('other') ? other : me;
    const bodies: Record<string, unknown> = {
      ...{ ...BODIES, ...viewBodies(`view of ${caller}`) },
      // An administrator who leaves names another one.
      deleteAccount: caller === 'admin' ? { confirm, administrator: me } : { confirm },
    };
    const body = bodies[operationId];
    const { status } = await call(
      record.method,
      record.path.replace(':id', id).replace(':deliveryId', webhookId === null ? deliveryId : sentId),
      {
        ...credentials,
        ...(body === undefined ? {} : { body }),
        ...(record.base === undefined ? {} : { base: record.base }),
        remoteAddress: `10.0.${++addresses >> 8}.${addresses & 255}`,
      },
    );
    if (operationId === 'deleteAccount') {
      clock.advance(31_000);
      await parts.deletion.finish();
    }
    const expected = promised(record, caller);
    if (expected !== 'let in') expect(status).toBe(expected);
    else if (record.access === 'public') expect([200, 201, 401, 403, 409]).toContain(status);
    else expect([200, 201, 202]).toContain(status);
  });
});
