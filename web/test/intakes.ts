// Intakes as the API answers them, in memory: two kinds of them, with the forms that real adapters have.
import type {
  CreateIntake,
  Delivery,
  DeliveryRequest,
  EditIntake,
  Intake,
  IntakeKindInfo,
  Preview,
} from '#core/contract/index.ts';
import type { Call, Reply } from './call.ts';

const KINDS: IntakeKindInfo[] = [
  {
    id: 'webhook',
    title: 'Webhook',
    addressKind: 'url',
    takesMapping: true,
    schemes: [
      {
        id: 'github',
        title: 'GitHub signature',
        description: 'X-Hub-Signature-256.',
        fields: {
          type: 'object',
          required: ['secret'],
          properties: {
            secret: { type: 'string', title: 'Secret', description: 'As at the sender.', secret: true },
            previousSecret: { type: 'string', title: 'Previous secret', secret: true },
          },
        },
      },
      {
        id: 'hmac',
        title: 'HMAC',
        description: 'A signature in a header.',
        fields: {
          type: 'object',
          required: ['secret'],
          properties: {
            secret: { type: 'string', title: 'Secret', secret: true },
            header: { type: 'string', title: 'Signature header', default: 'X-Signature' },
            encoding: { enum: ['hex', 'base64'], title: 'Written as', default: 'hex' },
            toleranceSeconds: { type: 'integer', minimum: 1, default: 300 },
            strict: { type: 'boolean', title: 'Strict', description: 'Refuse what is old.', default: true },
          },
        },
      },
      {
        id: 'none',
        title: 'None',
        description: 'Anyone who knows the address can send.',
        fields: { type: 'object', properties: {} },
      },
    ],
    presets: [
      {
        id: 'generic',
        title: 'Anything else',
        description: 'Any body.',
        scheme: 'none',
        setup: 'Send a POST.',
        events: [],
      },
      {
        id: 'github',
        title: 'GitHub',
        description: 'Pushes and pull requests.',
        scheme: 'github',
        setup: 'Open Settings, then Webhooks. Paste the address.',
        events: ['push', 'pull_request', 'pull_request.opened'],
      },
    ],
    settings: null,
  },
  {
    id: 'smtp',
    title: 'E-mail',
    addressKind: 'email',
    takesMapping: false,
    schemes: [
      {
        id: 'none',
        title: 'Address only',
        description: 'Everybody who knows the address can write to it.',
        fields: { type: 'object', properties: {} },
      },
    ],
    presets: [],
    settings: {
      type: 'object',
      properties: {
        allowedSenders: { type: 'array', title: 'Allowed senders', default: [] },
        requirePass: { enum: ['none', 'dmarc'], title: 'Proof of the sender', default: 'none' },
      },
    },
  },
];

let made = 0;

export function anIntake(fields: Partial<Intake> = {}): Intake {
  made += 1;
  return {
    id: `in_${made}`,
    name: `Intake ${made}`,
    adapter: 'webhook',
    address: `https://q.example.com/hooks/token${made}`,
    otherAddresses: [],
    addressKind: 'url',
    previousAddressUntil: null,
    previousSecretUntil: null,
    preset: 'github',
    verification: { scheme: 'github', options: {}, secrets: ['secret'] },
    mapping: null,
    settings: {},
    defaults: {},
    events: [],
    reopens: true,
    hourlyCap: null,
    paused: false,
    created_at: '2026-11-20T08:05:00',
    updated_at: '2026-11-20T08:05:00',
    last_used_at: null,
    ...fields,
  };
}

export function aDelivery(fields: Partial<Delivery> = {}): Delivery {
  made += 1;
  return {
    id: `dlv_${made}`,
    at: new Date().toISOString(),
    verdict: 'accepted',
    reason: null,
    event: 'push',
    taskIds: [],
    notes: {},
    canReplay: true,
    ...fields,
  };
}

const aRequest: DeliveryRequest = {
  headers: { 'x-github-event': 'push' },
  contentType: 'application/json',
  body: '{"ref":"main","repository":{"full-name":"o/r"},"commits":[{"id":"abc"}],"note":"<b>bold</b>"}',
  encoding: 'text',
  clipped: false,
};

export function aPreview(fields: Partial<Preview> = {}): Preview {
  return {
    tasks: [],
    closes: [],
    event: null,
    ignored: null,
    failed: null,
    source: 'delivery',
    request: aRequest,
    ...fields,
  };
}

/** The part of the fake server that answers for intakes. */
export class FakeIntakes {
  intakes: Intake[] = [];
  deliveries: Delivery[] = [];
  /** The tasks of a payload: one with its content. */
  preview = aPreview();

  answer({ method, path, body }: Call): Reply {
    const [, , id = '', part, deliveryId] = path.split('/');
    if (path === '/intakes/adapters') return ok({ adapters: KINDS });
    if (path === '/intakes')
      return method === 'GET' ? ok({ intakes: this.intakes }) : this.#create(body as unknown as CreateIntake);
    const intake = this.intakes.find((each) => each.id === id);
    if (intake === undefined)
      return { status: 404, body: { success: false, error: 'Gone', code: 'NOT_FOUND' } };
    if (part === 'rotate')
      return this.#change(intake, {
        address: `${intake.address}-new`,
        previousAddressUntil: body['graceMinutes'] === 0 ? null : '2026-11-22T09:05:00',
      });
    if (part === 'preview') return ok({ preview: this.preview });
    if (part === 'test') return this.#deliver({ notes: { test: 'yes' }, taskIds: ['task_t'] });
    if (part === 'deliveries' && deliveryId !== undefined)
      return method === 'POST'
        ? this.#deliver({ verdict: 'duplicate', notes: { replayOf: deliveryId } })
        : ok({ delivery: this.deliveries.find((each) => each.id === deliveryId), request: aRequest });
    if (part === 'deliveries') return ok({ deliveries: this.deliveries });
    if (method === 'DELETE') {
      this.intakes = this.intakes.filter((each) => each !== intake);
      return ok({});
    }
    return method === 'GET' ? ok({ intake }) : this.#change(intake, edited(intake, body));
  }

  #create(input: CreateIntake): Reply {
    const { name, adapter, preset = null, verification = {} } = input;
    const isMail = adapter === 'smtp';
    const intake = anIntake({
      name,
      adapter,
      preset,
      addressKind: isMail ? 'email' : 'url',
      ...(isMail ? { address: 'abc@in.example.com' } : {}),
      verification: { scheme: verification.scheme ?? 'none', options: {}, secrets: [] },
    });
    this.intakes.unshift(intake);
    return { status: 201, body: { success: true, intake } };
  }

  #change(intake: Intake, changes: Partial<Intake>): Reply {
    const changed = { ...intake, ...changes };
    this.intakes = this.intakes.map((each) => (each === intake ? changed : each));
    return ok({ intake: changed });
  }

  #deliver(fields: Partial<Delivery>): Reply {
    const delivery = aDelivery(fields);
    this.deliveries.unshift(delivery);
    const { verdict, reason, taskIds } = delivery;
    return {
      status: 201,
      body: { success: true, delivery: { verdict, reason, taskIds, deliveryId: delivery.id } },
    };
  }
}

// The input of a verification differs from its stored form.
function edited(
  intake: Intake,
  { verification, secretGraceMinutes, ...changes }: EditIntake,
): Partial<Intake> {
  const isNew = verification !== undefined && 'secret' in verification;
  const grace = secretGraceMinutes ?? (isNew ? 1440 : null);
  return {
    ...(changes as Partial<Intake>),
    ...(grace === null ? {} : { previousSecretUntil: grace === 0 ? null : '2026-11-22T09:05:00' }),
    ...(verification?.scheme === undefined
      ? {}
      : { verification: { ...intake.verification, scheme: verification.scheme } }),
  };
}

function ok(body: object): Reply {
  return { status: 200, body: { success: true, ...body } };
}
