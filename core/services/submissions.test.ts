// What a submission is told by from others, on its way to a queue.
import { expect, it } from 'vitest';
import { createIdSource } from '../domain/ids.ts';
import { identityOf, type Claim, type Submission } from '../domain/submission.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { createSubmissions, type SubmissionRequest } from './submissions.ts';

const CLAIM: Claim = { scope: 'intake:1', key: 'delivery 1', fingerprint: null };

/** The identities of submissions of these requests, all with the request id that their sender chose. */
async function identitiesOf(...requests: Partial<SubmissionRequest>[]): Promise<string[]> {
  const queued: Submission[] = [];
  const { enqueue } = createSubmissions({
    ...({} as Parameters<typeof createSubmissions>[0]),
    clock: createFakeClock(),
    nextId: createIdSource(),
    hasOwner: () => true,
    tracer: { span: (_name, _options, run) => run(), traceparent: () => undefined },
    queue: {
      ...({} as Parameters<typeof createSubmissions>[0]['queue']),
      async submit(submission) {
        queued.push(submission);
        return { kind: 'queued' };
      },
    },
  });
  const common = { ownerId: newOwner(), adapter: 'webhook', drafts: [], requestId: 'syslog' };
  for (const request of requests) await enqueue({ ...common, ...request });
  return queued.map((submission) => identityOf(submission).join(' '));
}

it.each([
  ['make a task', { drafts: [insertOf().draft] }],
  ['only resolve', { resolves: ['disk'] }],
])('two submissions that %s are two, whatever their senders call the requests', async (_what, request) => {
  expect(new Set(await identitiesOf(request, request)).size).toBe(2);
});

it('two submissions with one claim are one', async () => {
  const identities = await identitiesOf(
    { drafts: [insertOf().draft], claim: CLAIM },
    { resolves: ['disk'], claim: CLAIM },
  );
  expect(new Set(identities).size).toBe(1);
});
