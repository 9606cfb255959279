// Webhooks: an address for each sender. Deliveries are verified, and read by preset, mapping or summary.
import { Type } from 'typebox';
import { API_BASE, MAX_HOOK_BODY_BYTES, type ErrorDetail } from '#core/contract/index.ts';
import type { StoredRequest } from '#core/domain/intake.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { shortTokenOf } from '#core/domain/intake-token.ts';
import { defineAdapter } from '#core/ports/adapter/adapter.ts';
import type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
import type { IntakeConfig } from '#core/ports/adapter/intake.ts';
import { receiveRoute } from './contract.ts';
import { createWebhookHandler, DELIVERY_METHODS } from './http/webhook-handler.ts';
import { createReceiver } from './http/receive.ts';
import { interpret } from './interpret.ts';
import { decodeStored } from './stored-request.ts';
import { checkMapping } from './mapping/mapping.ts';
import { presets } from './presets/index.ts';
import { createEarlyRefusal, createProtocolHandler } from './protocols/handler.ts';
import { protocols, subscriberProtocols } from './protocols/index.ts';
import { redact } from './redaction/redact.ts';
import { schemeOf, schemes } from './verify/schemes.ts';

const PROTOCOL_NAME = `(${protocols.map(({ id }) => id).join('|')})`;
const protocolsField = Type.String({
  default: 'all',
  pattern: `^(all|none|${PROTOCOL_NAME}( *, *${PROTOCOL_NAME})*)$`,
  description: `must be all, none, or some of ${protocols.map(({ id }) => id).join(', ')}, with commas`,
});

export default defineAdapter<{ protocols: string }>({
  id: 'webhook',
  title: 'Webhook',
  roles: ['api'],
  source: 'webhook',
  configSchema: Type.Object({ protocols: protocolsField }),
  environment: { protocols: 'QINBOX_PROTOCOLS' },
  secretFields: [],
  intakes: {
    addressKind: 'url',
    address: (token, { publicUrl }) => `${publicUrl}/hooks/${token}`,
    otherAddresses: (token, { publicUrl: url }, config) =>
      namedIn((config as { protocols: string }).protocols, protocols).map((protocol) => {
        const { id, title } = protocol;
        const { address, key = null } = protocol.setting({ url, token, short: shortTokenOf(token) });
        const apps = subscriberProtocols.find((each) => each.id === id)?.setup(url) ?? null;
        return { title, address, key, apps };
      }),
    schemes: schemes.map(({ id, title, description, fields }) => ({ id, title, description, fields })),
    presets,
    settings: null,
    takesMapping: true,
    check,
    read,
    sample,
  },
  start({ config, http, intakeService, clock, log, readers, tasks }) {
    const deps = { intakeService, clock, log, presets };
    const receive = createReceiver(deps);
    const handler = createWebhookHandler(deps, receive);
    const inFlight = new Set<Promise<unknown>>();
    const noted =
      (handle: (request: HttpRequest) => Promise<HttpResponse>) =>
      (request: HttpRequest): Promise<HttpResponse> => {
        const answer = handle(request).finally(() => inFlight.delete(answer));
        inFlight.add(answer);
        return answer;
      };
    for (const address of [
      { path: '/hooks/:token' },
      // Some tools end every address in a slash.
      { path: '/hooks/:token/' },
      { path: `${API_BASE}${receiveRoute.path}`, record: receiveRoute },
    ])
      http.on(
        {
          methods: [...DELIVERY_METHODS, 'GET', 'HEAD', 'OPTIONS'],
          bodyLimit: MAX_HOOK_BODY_BYTES,
          ...address,
        },
        noted((request) => handler.handle(request)),
      );
    for (const protocol of namedIn(config.protocols, protocols)) {
      const handle = noted(createProtocolHandler(deps, receive, protocol));
      const refused = createEarlyRefusal(protocol);
      for (const route of protocol.routes)
        http.on({ ...route, bodyLimit: MAX_HOOK_BODY_BYTES, refused }, handle);
    }
    for (const protocol of namedIn(config.protocols, subscriberProtocols))
      protocol.serve({ http, readers, tasks, intakeService, clock });
    return {
      async stop() {
        await Promise.allSettled(inFlight);
      },
    };
  },
});

/** Those that the setting names. */
function namedIn<T extends { id: string }>(setting: string, all: readonly T[]): readonly T[] {
  const names = setting.split(',').map((name) => name.trim());
  return setting === 'all' ? all : all.filter(({ id }) => names.includes(id));
}

function check(plan: IntakeConfig): ErrorDetail[] {
  const { scheme, options } = plan.verification;
  const proof = schemeOf(scheme)?.check?.({ secrets: plan.secrets, options }) ?? [];
  return [
    ...proof.map(({ field, message }) => ({ field: `verification/${field}`, message })),
    ...(plan.mapping === null ? [] : checkMapping(plan.mapping)),
  ];
}

function read(plan: IntakeConfig, request: StoredRequest): ParsedDelivery {
  const decoded = decodeStored(request);
  return decoded.ok
    ? interpret(plan, redact(decoded.body), presets)
    : { tasks: [], resolves: [], failed: decoded.reason };
}

function sample(plan: IntakeConfig): StoredRequest {
  const preset = presets.find(({ id }) => id === plan.preset) ?? presets[0];
  const { headers = {}, body = { title: 'A test of this intake' } } = preset?.sample ?? {};
  const isText = typeof body === 'string';
  const contentType = headers['content-type'] ?? (isText ? 'text/plain' : 'application/json');
  return {
    headers: { ...headers, 'content-type': contentType },
    contentType,
    body: isText ? body : JSON.stringify(body),
    encoding: 'text',
    clipped: false,
  };
}
