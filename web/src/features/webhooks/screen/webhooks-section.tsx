// Webhooks among the settings: addresses that are told what happens to tasks, and what was sent to them.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SaveWebhook, Webhook } from '#core/contract/index.ts';
import { MAX_WEBHOOKS } from '#core/contract/limits.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useWebhookList } from '../../../lib/webhook-list.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useWebhookCalls, type NewSecret } from '../data/webhooks.ts';
import { draftOf, inputOf } from '../model/draft.ts';
import { WebhookDialog } from '../parts/webhook-form.tsx';
import { WebhookRow, type WebhookAction } from '../parts/webhook-row.tsx';

export default function WebhooksSection() {
  return (
    <Card
      bare
      title="Webhooks"
      description="Addresses of your own that are told what happens to your tasks: a POST for each event, signed as Standard Webhooks says, tried again for three days."
    >
      <Loaded query={useWebhookList()} loading="Loading webhooks" failure="Failed to fetch the webhooks">
        {(webhooks) => <Webhooks webhooks={webhooks} />}
      </Loaded>
    </Card>
  );
}

/** The dialog: closed, or open for a new webhook or this one. */
type Editing = { open: boolean; webhook: Webhook | null };

function Webhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  const calls = useWebhookCalls();
  const { busy, problem, setProblem, run } = useAction();
  const [editing, setEditing] = useState<Editing>({ open: false, webhook: null });
  const [made, setMade] = useState<NewSecret | null>(null);
  const [removing, setRemoving] = useState<Webhook | null>(null);
  const [rotating, setRotating] = useState<Webhook | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const close = () => setEditing((now) => ({ ...now, open: false }));

  async function submit(input: SaveWebhook) {
    const { webhook } = editing;
    if (webhook === null) setMade(await calls.create(input));
    else await calls.save(webhook.id, input);
    close();
  }

  const actions: Record<WebhookAction, (webhook: Webhook) => void> = {
    edit: (webhook) => setEditing({ open: true, webhook }),
    remove: setRemoving,
    rotate: setRotating,
    pause: (webhook) => void setPaused(webhook, true),
    resume: (webhook) => void setPaused(webhook, false),
    test: ({ id }) => {
      setShown(id);
      void run(() => calls.test(id), problemWith('Failed to send a test'));
    },
  };

  const setPaused = (webhook: Webhook, paused: boolean) =>
    run(
      () => calls.save(webhook.id, inputOf({ ...draftOf(webhook), paused })),
      problemWith(paused ? 'Failed to pause the webhook' : 'Failed to switch the webhook on'),
    );

  async function remove({ id, name }: Webhook) {
    const isRemoved = await run(() => calls.remove(id), problemWith('Failed to delete the webhook'));
    setRemoving(null);
    if (!isRemoved) return;
    if (made?.webhook.id === id) setMade(null);
    void notify({ text: `${name} was deleted` });
  }

  async function rotate({ id }: Webhook) {
    await run(async () => setMade(await calls.rotate(id)), problemWith('Failed to make a new secret'));
    setRotating(null);
  }

  return (
    <div className="flex flex-col gap-4">
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
      {made === null ? null : <Secret made={made} onStored={() => setMade(null)} />}
      {webhooks.length === 0 ? (
        <p className="text-14 text-ink-2">No webhook yet.</p>
      ) : (
        <ul aria-label="Webhooks" className="divide-y divide-line-1 border-y border-line-1">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              disabled={busy}
              open={shown === webhook.id}
              onToggle={() => setShown(shown === webhook.id ? null : webhook.id)}
              onAction={(action) => actions[action](webhook)}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind={webhooks.length === 0 ? 'primary' : 'secondary'}
          disabled={webhooks.length >= MAX_WEBHOOKS}
          onClick={() => setEditing({ open: true, webhook: null })}
        >
          <Plus size={17} aria-hidden />
          Add webhook
        </Button>
        {webhooks.length >= MAX_WEBHOOKS ? (
          <p className="text-13 text-ink-2">More than {MAX_WEBHOOKS} are not possible.</p>
        ) : null}
      </div>
      <WebhookDialog {...editing} onClose={close} onSubmit={submit} />
      <Questions
        busy={busy}
        rotating={rotating}
        removing={removing}
        onCancel={() => {
          setRotating(null);
          setRemoving(null);
        }}
        onRotate={(webhook) => void rotate(webhook)}
        onRemove={(webhook) => void remove(webhook)}
      />
    </div>
  );
}

interface QuestionsProps {
  busy: boolean;
  /** What is asked about; null while it is not asked. */
  rotating: Webhook | null;
  removing: Webhook | null;
  onCancel: () => void;
  onRotate: (webhook: Webhook) => void;
  onRemove: (webhook: Webhook) => void;
}

function Questions({ busy, rotating, removing, onCancel, onRotate, onRemove }: QuestionsProps) {
  return (
    <>
      <ConfirmItem
        item={rotating}
        title={({ name }) => `New secret for ${name}`}
        question={() =>
          'What is sent is signed with both for 24 hours, so that the receiver can change over in that time. Then the former one ends.'
        }
        action="Make a new secret"
        busy={busy}
        onCancel={onCancel}
        onConfirm={onRotate}
      />
      <ConfirmItem
        item={removing}
        title={({ name }) => `Delete ${name}`}
        question={() => 'What waits to be sent to it, and the record of what was sent, go with it.'}
        action="Delete"
        busy={busy}
        onCancel={onCancel}
        onConfirm={onRemove}
      />
    </>
  );
}

function Secret({ made: { webhook, secret }, onStored }: { made: NewSecret; onStored: () => void }) {
  return (
    <ShownOnce
      label="New secret"
      text={secret}
      copyLabel="Copy secret"
      done="I have stored it"
      onDone={onStored}
    >
      <span className="font-semibold">{webhook.name}</span>: copy the secret now and give it to the receiver.
      It is not shown again.
    </ShownOnce>
  );
}
