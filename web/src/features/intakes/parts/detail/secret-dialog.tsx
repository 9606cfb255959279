// A new secret for an intake. The old one may stay good for a while, so that no delivery is lost; one that
// has leaked ends at once.
import { useState } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Form } from '../../../../ui/form.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { useIntakeCalls } from '../../data/intakes.ts';
import { errorAt, fieldErrorsOf, summaryOf, type FieldErrors } from '../../model/field-errors.ts';
import { randomSecret, type FormField } from '../../model/schema-form.ts';
import { SecretField } from '../form/secret-field.tsx';
import { GraceChoice } from './grace-choice.tsx';

interface SecretDialogProps {
  intake: Intake;
  /** The secret of its scheme's form. */
  field: FormField;
  /** Whether the scheme accepts the previous secret as well. */
  hasGrace: boolean;
  open: boolean;
  onClose: () => void;
}

export function SecretDialog({ open, ...rest }: SecretDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      size="md"
      open={open}
      onClose={rest.onClose}
      busy={busy}
      title="New secret"
      description="For when the secret has become known to others, or the sender has another."
    >
      <SecretForm {...rest} busy={busy} onBusy={setBusy} />
    </Dialog>
  );
}

interface SecretFormProps extends Omit<SecretDialogProps, 'open'> {
  busy: boolean;
  onBusy: (busy: boolean) => void;
}

function SecretForm({ intake, field, hasGrace, onClose, busy, onBusy }: SecretFormProps) {
  const { edit } = useIntakeCalls();
  const [secret, setSecret] = useState(randomSecret);
  const [minutes, setMinutes] = useState(hasGrace ? 1440 : 0);
  const [errors, setErrors] = useState<FieldErrors | null>(null);

  async function confirm() {
    onBusy(true);
    setErrors(null);
    const { scheme, options } = intake.verification;
    const verification = { ...options, scheme, secret };
    try {
      await edit(intake.id, { verification, secretGraceMinutes: minutes }, { secret });
      void notify({ text: 'The intake has a new secret. Give it to the sender.' });
      onClose();
    } catch (error) {
      setErrors(fieldErrorsOf(error, 'Failed to change the secret'));
    } finally {
      onBusy(false);
    }
  }

  return (
    <Form failure={errors} className="flex flex-col gap-5" onSubmit={() => void confirm()}>
      <ProblemBanner problem={errors && summaryOf(errors)} onDismiss={() => setErrors(null)} />
      <SecretField
        field={field}
        value={secret}
        onChange={setSecret}
        error={errorAt(errors, 'verification/secret')}
        disabled={busy}
        stored={false}
        removed={false}
        onRemove={() => undefined}
      />
      <GraceChoice
        legend={hasGrace ? 'The old secret stops working' : null}
        atOnce="It proves nothing from the moment you confirm. Choose this when it has leaked."
        remark={intake.previousSecretUntil === null ? '' : ' The one before it ends now.'}
        minutes={minutes}
        onChange={setMinutes}
        disabled={busy}
      />
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button kind={minutes === 0 ? 'danger' : 'primary'} type="submit" disabled={busy}>
          Change the secret
        </Button>
      </div>
    </Form>
  );
}
