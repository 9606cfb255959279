// Tasks from an adapter whose senders have no intake, such as people in a chat. Stored at once, so that a
// repeat is answered with the first tasks.
import { toDrafts, toResolvedKeys } from '../domain/delivery.ts';
import { replayClaim } from '../domain/submission.ts';
import type { AdapterSubmission, AdapterSubmissionResult } from '../ports/adapter/context.ts';
import type { Submissions } from './submissions.ts';

export function createAdapterSubmissions(
  submissions: Submissions,
  adapter: { id: string; title: string; source: string },
): (submission: AdapterSubmission) => Promise<AdapterSubmissionResult> {
  const policy = { id: adapter.id, name: adapter.title, defaults: {}, reopens: true, isIntake: false };

  return async ({ ownerId, tasks, resolves: keys = [], replayKey, requestId }) => {
    const drafts = toDrafts(tasks, policy, adapter.source);
    const resolves = toResolvedKeys(keys, policy);
    if (drafts.length + resolves.length === 0) return { kind: 'accepted', taskIds: [] };
    const claim = replayClaim(`adapter:${adapter.id}:${ownerId}`, replayKey);
    const request = { ownerId, adapter: adapter.id, drafts, resolves, requestId, claim };
    const { isReplay, taskIds } = await submissions.store(request);
    return { kind: isReplay ? 'duplicate' : 'accepted', taskIds };
  };
}
