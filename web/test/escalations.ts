// The escalations and the digest of the fake server.
import type { Digest, Escalation, EscalationRun, SaveEscalation } from '#core/contract/index.ts';
import type { Call, Reply } from './call.ts';

const AT = '2026-11-20T08:05:00.000Z';

export function anEscalation(fields: Partial<Escalation> = {}): Escalation {
  return {
    id: 'esc_1',
    name: 'Production alerts',
    intake: null,
    priorities: ['high'],
    paused: false,
    steps: [
      { id: 'step_1', afterMinutes: 0, kind: 'push', to: null },
      { id: 'step_2', afterMinutes: 5, kind: 'slack', to: 'hooks.slack.com/…XXXX' },
      { id: 'step_3', afterMinutes: 90, kind: 'mail', to: 'ann@example.com' },
    ],
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

export function anEscalationRun(fields: Partial<EscalationRun> = {}): EscalationRun {
  return {
    step: 'step_1',
    taskId: 'task_1',
    title: 'Disk full',
    dueAt: AT,
    status: 'done',
    attempts: 1,
    lastAttemptAt: AT,
    detail: 'Pushed to 1 device.',
    ...fields,
  };
}

export class FakeEscalations {
  list: Escalation[] = [];
  runs: EscalationRun[] = [];
  digest: Digest | null = null;
  /** This server sends mail. */
  mail = false;
  /** Where steps may go by Slack's app. */
  slack: { id: string; name: string }[] = [];
  #made = 0;

  answer({ method, path, body }: Call): Reply {
    if (path === '/digest') {
      if (method === 'PUT') this.digest = body['digest'] as Digest | null;
      return ok({ digest: this.digest, mail: this.mail });
    }
    const [, , id = '', part] = path.split('/');
    if (part === 'runs') return ok({ runs: structuredClone(this.runs) });
    const before = this.list.find((escalation) => escalation.id === id);
    if (part === 'test') {
      for (const { id: step } of before?.steps ?? [])
        this.runs.unshift(anEscalationRun({ step, taskId: null, detail: 'Told by a test.' }));
      return { status: 202, body: { success: true } };
    }
    if (method === 'GET')
      return ok({ escalations: structuredClone(this.list), mail: this.mail, slack: this.slack });
    if (method === 'DELETE') {
      this.list = this.list.filter((escalation) => escalation.id !== id);
      return ok({});
    }
    const escalation = this.#stored(body as unknown as SaveEscalation, before);
    this.list =
      before === undefined
        ? [...this.list, escalation]
        : this.list.map((each) => (each.id === id ? escalation : each));
    return { status: before === undefined ? 201 : 200, body: { success: true, escalation } };
  }

  #stored({ steps, ...settings }: SaveEscalation, before: Escalation | undefined): Escalation {
    return {
      ...anEscalation(before ?? { id: `esc_${++this.#made}` }),
      ...settings,
      paused: settings.paused ?? false,
      steps: steps
        .map(({ id = `step_new${++this.#made}`, afterMinutes, kind, to }) => ({
          id,
          afterMinutes,
          kind,
          to:
            kind === 'push'
              ? null
              : kind !== 'slack'
                ? (to ?? null)
                : to === undefined
                  ? (before?.steps.find((step) => step.id === id)?.to ?? null)
                  : to.includes('/')
                    ? `${new URL(to).hostname}/…${to.slice(-4)}`
                    : to,
        }))
        .toSorted((a, b) => a.afterMinutes - b.afterMinutes),
    };
  }
}

function ok(fields: object): Reply {
  return { status: 200, body: { success: true, ...fields } };
}
