// Trying an intake out: a preview that stores nothing, a test that is a real delivery, a replay of one that came before.
import type { PreviewInput } from '../contract/index.ts';
import { policyOf, toCloses, toDrafts } from '../domain/delivery.ts';
import { fingerprintOf } from '../domain/hash.ts';
import { wantsEvent, type DeliveryRecord, type IntakeRecord, type KeptRequest } from '../domain/intake.ts';
import type { TaskDraft } from '../domain/task.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { IntakePlan, Reading } from '../ports/adapter.ts';
import { MAX_DELIVERIES, type IntakeStore } from '../ports/intake-store.ts';
import type { Dispatch, IntakeDesk } from './intake-service.ts';
import type { IntakeAccess } from './intake-cache.ts';
import { planOf, type CheckForm } from './intake-settings.ts';
import type { Intakes } from './intakes.ts';

const KEPT = 'Only the last 50 are kept, for 7 days.';

interface Parts {
  intakes: Intakes;
  store: IntakeStore;
  access: IntakeAccess;
  desk: IntakeDesk;
  checkForm: CheckForm;
  sources: ReadonlyMap<string, string>;
}

/** What a payload would make. */
export interface Trial {
  drafts: TaskDraft[];
  closes: string[];
  reading: Reading;
  ignored: string | null;
  source: 'given' | 'delivery' | 'sample';
  request: KeptRequest;
}

export type Trials = ReturnType<typeof createTrials>;

export function createTrials({ intakes, store, access, desk, checkForm, sources }: Parts) {
  async function deliveryOf(ownerId: string, intakeId: string, id: string): Promise<DeliveryRecord> {
    const delivery = await store.getDelivery(ownerId, intakeId, id);
    if (delivery === null) throw new QinboxError('NOT_FOUND', `There is no such delivery. ${KEPT}`);
    return delivery;
  }

  async function requestFor(
    record: IntakeRecord,
    plan: IntakePlan,
    input: PreviewInput,
  ): Promise<Pick<Trial, 'source' | 'request'>> {
    if (input.payload !== undefined) return { source: 'given', request: givenRequest(input) };
    if (input.deliveryId !== undefined) {
      const delivery = await store.getDelivery(record.ownerId, record.id, input.deliveryId);
      // The intake is what the address names, and is there; the delivery is a field.
      if (delivery === null)
        throw invalid([{ field: 'deliveryId', message: `must be a delivery to this intake. ${KEPT}` }]);
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
    async preview(ownerId: string, intakeId: string, input: PreviewInput): Promise<Trial> {
      const record = await intakes.get(ownerId, intakeId);
      const kind = intakes.kindOf(record.adapter);
      const before = access.open(record);
      const changes = {
        ...(input.preset === undefined ? {} : { preset: input.preset }),
        ...(input.mapping === undefined ? {} : { mapping: input.mapping }),
      };
      const plan =
        Object.keys(changes).length === 0
          ? before
          : await planOf(kind, { before, input: changes }, checkForm);
      const { source, request } = await requestFor(record, plan, input);
      const reading = await kind.read(plan, request);
      const drafts = toDrafts(reading.tasks, policyOf(record), sources.get(record.adapter) ?? record.adapter);
      const isFiltered = !wantsEvent(record.events, reading.event ?? null);
      return {
        drafts,
        closes: toCloses(reading.closes, policyOf(record)),
        reading,
        ignored: isFiltered
          ? `Events of type ${reading.event ?? ''} are not among those that this intake takes.`
          : (reading.ignored ?? null),
        source,
        request,
      };
    },

    /** Delivers a sample, paused or not: makes a real task. */
    async test(ownerId: string, intakeId: string, requestId: string): Promise<Dispatch> {
      const record = await intakes.get(ownerId, intakeId);
      const kind = intakes.kindOf(record.adapter);
      const intake = access.open(record);
      const request = kind.sample(intake);
      const reading = await kind.read(intake, request);
      return desk.dispatch(
        { intake, reading, replayKey: null, request, requestId, notes: { test: 'yes' } },
        null,
      );
    },

    /** Reads a delivery again with the mapping of now. CONFLICT when too little of it was kept. */
    async replay(ownerId: string, intakeId: string, id: string, requestId: string): Promise<Dispatch> {
      const record = await intakes.get(ownerId, intakeId);
      const delivery = await deliveryOf(ownerId, intakeId, id);
      const request = readable(delivery.request);
      const intake = access.open(record);
      const reading = await intakes.kindOf(record.adapter).read(intake, request);
      // Twice with the same reading is a slip of the finger; with a mended mapping it is meant.
      const replayKey = `replay:${id}:${fingerprintOf([record.preset, record.mapping])}`;
      return desk.dispatch(
        { intake, reading, replayKey, request, requestId, notes: { replayOf: id } },
        reading.event ?? null,
      );
    },
  };
}

/** Whether enough of a delivery was kept to read it again. */
export function canReplay({ request, verdict }: DeliveryRecord): boolean {
  return request !== null && !request.clipped && verdict !== 'refused';
}

function readable(request: KeptRequest | null): KeptRequest {
  if (request === null || request.clipped)
    throw new QinboxError(
      'CONFLICT',
      'Too little of this delivery was kept to read it again. Have it sent once more.',
    );
  return request;
}

function givenRequest({ payload, contentType, headers = {} }: PreviewInput): KeptRequest {
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
