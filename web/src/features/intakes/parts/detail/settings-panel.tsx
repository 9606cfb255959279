// Everything of an intake that can be changed, and its end.
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { problemWith } from '../../../../lib/api/api-error.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { useIntakeCalls } from '../../data/intakes.ts';
import { draftOf, secretsOf, toEdit } from '../../model/draft.ts';
import { IntakeForm } from '../form/intake-form.tsx';

export function SettingsPanel({ intake, kind }: { intake: Intake; kind: IntakeKindInfo }) {
  const { edit } = useIntakeCalls();
  /** The form starts anew after each save, and only then. */
  const [saved, setSaved] = useState(0);
  return (
    <div className="flex flex-col gap-4">
      <IntakeForm
        key={saved}
        kind={kind}
        start={draftOf(intake, kind)}
        stored={intake.verification}
        choosesPreset
        action="Save changes"
        fallback="Failed to save the intake"
        onSave={async (draft) => {
          await edit(intake.id, toEdit(draft, kind), secretsOf(draft, kind));
          setSaved(saved + 1);
          void notify({ text: 'Saved' });
        }}
      />
      <Revoke intake={intake} />
    </div>
  );
}

function Revoke({ intake }: { intake: Intake }) {
  const { revoke } = useIntakeCalls();
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  const { busy, problem, setProblem, run } = useAction();

  async function confirm() {
    const isRevoked = await run(() => revoke(intake.id), problemWith('Failed to revoke the intake'));
    setAsking(false);
    if (!isRevoked) return;
    void notify({ text: `Revoked: ${intake.name}` });
    navigate('/admin/intakes', { replace: true });
  }

  return (
    <Card title="Revoke" description="The address is unknown from then on. Tasks that came through it stay.">
      <ProblemBanner className="mb-4" problem={problem} onDismiss={() => setProblem(null)} />
      <Button kind="danger" onClick={() => setAsking(true)}>
        Revoke this intake
      </Button>
      <Confirm
        open={asking}
        title={`Revoke ${intake.name}`}
        question="Nothing can be delivered to its address any more, and what was delivered can no longer be looked at. This cannot be undone."
        action="Revoke"
        busy={busy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirm()}
      />
    </Card>
  );
}
