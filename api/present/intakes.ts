// Intakes and deliveries as the API shows them: whole addresses, names of secrets, never a secret.
import type { Delivery, Dispatched, Intake, IntakeKindInfo, Preview } from '#core/contract/index.ts';
import type { DeliveryRecord, IntakeRecord } from '#core/domain/intake.ts';
import type { AdapterSettings, IntakeKind, SchemeInfo } from '#core/ports/adapter/intake.ts';
import { canReplay, type PreviewResult } from '#core/services/intakes/preview.ts';
import type { DeliveryOutcome } from '#core/services/intakes/intake-service.ts';
import type { Parts } from '../services/services.ts';
import { isoTime } from './time.ts';

type IntakeContext = Pick<Parts, 'adapters' | 'intakeEncryption' | 'clock'> & { settings: AdapterSettings };

export function presentKinds(adapters: Parts['adapters']): IntakeKindInfo[] {
  return adapters.kinds().map(({ id, title, kind }) => ({
    id,
    title,
    addressKind: kind.addressKind,
    takesMapping: kind.takesMapping,
    schemes: kind.schemes.map(({ fields, ...scheme }) => ({ ...scheme, fields: asForm(fields) })),
    presets: kind.presets.map((preset) => ({
      id: preset.id,
      title: preset.title,
      description: preset.description,
      scheme: preset.scheme,
      options: { ...preset.options },
      setup: preset.setup,
      events: [...preset.events],
    })),
    settings: kind.settings === null ? null : asForm(kind.settings),
  }));
}

function asForm(fields: SchemeInfo['fields']): Record<string, unknown> {
  return JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
}

export function presentIntake(
  { adapters, intakeEncryption, settings, clock }: IntakeContext,
  record: IntakeRecord,
): Intake {
  const kind = adapters.kind(record.adapter);
  const previous = record.tokens.find(({ until }) => until !== null)?.until ?? null;
  const token = intakeEncryption.tokenOf(record);
  const { secrets, previousUntil } = intakeEncryption.secretsOf(record);
  return {
    id: record.id,
    name: record.name,
    adapter: record.adapter,
    address: addressOf(kind, token, settings),
    otherAddresses:
      token === null
        ? []
        : adapters.otherAddresses(record.adapter, token, settings).map((other) => ({ ...other })),
    addressKind: kind?.addressKind ?? 'url',
    previousAddressUntil: previous === null || previous <= clock.now() ? null : isoTime(previous),
    previousSecretUntil: previousUntil === null ? null : isoTime(previousUntil),
    preset: record.preset,
    verification: {
      scheme: record.verification.scheme,
      options: { ...record.verification.options },
      secrets: Object.keys(secrets),
    },
    mapping: record.mapping,
    settings: { ...record.settings },
    defaults: {
      ...record.defaults,
      ...(record.defaults.tags === undefined ? {} : { tags: [...record.defaults.tags] }),
    } as Intake['defaults'],
    events: [...record.events],
    reopens: record.reopens,
    hourlyCap: record.hourlyCap,
    paused: record.paused,
    created_at: isoTime(record.createdAt),
    updated_at: isoTime(record.updatedAt),
    last_used_at: record.lastUsedAt === null ? null : isoTime(record.lastUsedAt),
  };
}

// An address whose token can no longer be decrypted still works; it can only not be shown.
function addressOf(kind: IntakeKind | undefined, token: string | null, settings: AdapterSettings): string {
  return kind === undefined || token === null ? '' : kind.address(token, settings);
}

export function presentDelivery(delivery: DeliveryRecord): Delivery {
  return {
    id: delivery.id,
    at: isoTime(delivery.at),
    verdict: delivery.verdict,
    reason: delivery.reason,
    event: delivery.event,
    taskIds: [...delivery.taskIds],
    notes: { ...delivery.notes },
    canReplay: canReplay(delivery),
  };
}

export function presentOutcome({ verdict, reason, deliveryId, taskIds }: DeliveryOutcome): Dispatched {
  return { verdict, reason, deliveryId, taskIds: [...taskIds] };
}

export function presentPreview(result: PreviewResult): Preview {
  const { drafts, resolves, parsed, ignored, source, request } = result;
  return {
    tasks: drafts.map(({ content, priority, tags, expiryMinutes, metadata, dedupeKey }) => ({
      content,
      priority,
      tags: [...tags],
      expiryMinutes,
      metadata,
      dedupeKey,
    })),
    closes: resolves,
    event: parsed.event ?? null,
    ignored,
    failed: parsed.failed ?? null,
    source,
    request: { ...request, headers: { ...request.headers } },
  };
}
