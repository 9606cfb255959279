// Tries an intake: a preview stores nothing, a test is a real delivery, a replay reads an earlier one again.
import type { PreviewInput } from '#core/contract/index.ts';
import { contentOf, type DeliveryContent, type ParsedDelivery } from '#core/domain/delivery.ts';
import { defined } from '#core/domain/filled.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import type { DeliveryRecord, IntakeRecord, StoredRequest } from '#core/domain/intake.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { IntakeConfig } from '#core/ports/adapter/intake.ts';
import { MAX_DELIVERIES, type IntakeStore } from '#core/ports/intake-store.ts';
import type { DeliveryOutcome, IntakeDeliveries } from './intake-service.ts';
import type { IntakeEncryption } from './encryption.ts';
import { configOf, type CheckForm } from './settings.ts';
import type { Intakes } from './intakes.ts';

const RETENTION = 'Only the last 50 are kept, for 7 days.';

interface Parts {
  intakes: Intakes;
  store: IntakeStore;
  encryption: IntakeEncryption;
  intakeService: IntakeDeliveries;
  checkForm: CheckForm;
  sources: ReadonlyMap<string, string>;
}

/** What a payload would make. */
export interface PreviewResult extends DeliveryContent {
  parsed: ParsedDelivery;
  source: 'given' | 'delivery' | 'sample';
  request: StoredRequest;
}

export function createIntakePreviews({
  intakes,
  store,
  encryption,
  intakeService,
  checkForm,
  sources,
}: Parts) {
  async function deliveryOf(ownerId: string, intakeId: string, id: string): Promise<DeliveryRecord> {
    const delivery = await store.getDelivery(ownerId, intakeId, id);
    if (delivery === null) throw new QinboxError('NOT_FOUND', `There is no such delivery. ${RETENTION}`);
    return delivery;
  }

  async function requestFor(
    record: IntakeRecord,
    plan: IntakeConfig,
    input: PreviewInput,
  ): Promise<Pick<PreviewResult, 'source' | 'request'>> {
    if (input.payload !== undefined) return { source: 'given', request: givenRequest(input) };
    if (input.deliveryId !== undefined) {
      const delivery = await store.getDelivery(record.ownerId, record.id, input.deliveryId);
      // The intake is what the address names, and is there; the delivery is a field.
      if (delivery === null)
        throw invalid([{ field: 'deliveryId', message: `must be a delivery to this intake. ${RETENTION}` }]);
      return { source: 'delivery', request: readable(delivery.request) };
    }
    const latest = await store.listDeliveries(record.ownerId, record.id, MAX_DELIVERIES);
    const request = latest.find((delivery) => canReplay(delivery))?.request ?? null;
    return request === null
      ? { source: 'sample', request: intakes.kindOf(record.adapter).sample(plan) }
      : { source: 'delivery', request };
  }

  return {
    /** The last 50, the latest first. NOT_FOUND when there is no such intake. */
    async deliveries(ownerId: string, intakeId: string): Promise<DeliveryRecord[]> {
      await intakes.get(ownerId, intakeId);
      return store.listDeliveries(ownerId, intakeId, MAX_DELIVERIES);
    },

    async delivery(ownerId: string, intakeId: string, id: string): Promise<DeliveryRecord> {
      await intakes.get(ownerId, intakeId);
      return deliveryOf(ownerId, intakeId, id);
    },

    /** Reads a payload as the intake would, or would with the preset and mapping given. Stores nothing. */
    async preview(ownerId: string, intakeId: string, input: PreviewInput): Promise<PreviewResult> {
      const record = await intakes.get(ownerId, intakeId);
      const kind = intakes.kindOf(record.adapter);
      const before = encryption.open(record);
      const changes = defined({ preset: input.preset, mapping: input.mapping });
      const plan =
        Object.keys(changes).length === 0
          ? before
          : await configOf(kind, { before, input: changes }, checkForm);
      const { source, request } = await requestFor(record, plan, input);
      const parsed = await kind.read(plan, request);
      const content = contentOf(parsed, record, sources.get(record.adapter) ?? record.adapter);
      return { ...content, parsed, source, request };
    },

    /** Delivers a sample, paused or not: makes a real task. */
    async test(ownerId: string, intakeId: string, requestId: string): Promise<DeliveryOutcome> {
      const record = await intakes.get(ownerId, intakeId);
      const kind = intakes.kindOf(record.adapter);
      const intake = encryption.open(record);
      const request = kind.sample(intake);
      // Without its event, so that the intake's filter lets it pass.
      const { event: _, ...parsed } = await kind.read(intake, request);
      const notes = { test: 'yes' };
      return intakeService.deliver({ intake, parsed, replayKey: null, request, requestId, notes });
    },

    /** Reads a delivery again with the mapping of now. CONFLICT when too little of it was stored. */
    async replay(ownerId: string, intakeId: string, id: string, requestId: string): Promise<DeliveryOutcome> {
      const record = await intakes.get(ownerId, intakeId);
      const delivery = await deliveryOf(ownerId, intakeId, id);
      const request = readable(delivery.request);
      const intake = encryption.open(record);
      const parsed = await intakes.kindOf(record.adapter).read(intake, request);
      // A second replay with the same mapping is a mistake; with a changed one it is meant.
      const replayKey = `replay:${id}:${fingerprintOf([record.preset, record.mapping])}`;
      const notes = { replayOf: id };
      return intakeService.deliver({ intake, parsed, replayKey, request, requestId, notes });
    },
  };
}

/** Whether enough of a delivery was stored to read it again. */
export function canReplay({ request, verdict }: DeliveryRecord): boolean {
  return request !== null && !request.clipped && verdict !== 'refused';
}

function readable(request: StoredRequest | null): StoredRequest {
  if (request === null || request.clipped)
    throw new QinboxError(
      'CONFLICT',
      'Too little of this delivery was kept to read it again. Have it sent once more.',
    );
  return request;
}

function givenRequest({ payload, contentType, headers = {} }: PreviewInput): StoredRequest {
  const isText = typeof payload === 'string' && contentType !== undefined;
  const body = isText ? payload : JSON.stringify(payload);
  if (Buffer.byteLength(body) > 1024 * 1024)
    throw invalid([{ field: 'payload', message: 'must be at most 1 MiB' }]);
  const type = contentType ?? 'application/json';
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    headers: { ...lower, 'content-type': type },
    contentType: type,
    body,
    encoding: 'text',
    clipped: false,
  };
}
