// How deliveries are read: by the preset, or by the owner's templates, with a preview on a real payload.
import { useEffect, useRef, useState } from 'react';
import type { Intake, IntakeKindInfo, IntakeMapping, Preview } from '#core/contract/index.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { Form } from '../../../../ui/form.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { presetOf, useIntakeCalls } from '../../data/intakes.ts';
import { fieldErrorsOf, isInTemplates, summaryOf, type FieldErrors } from '../../model/field-errors.ts';
import {
  emptyTemplates,
  MappingFields,
  toMapping,
  type TemplateName,
  type Templates,
} from './mapping-fields.tsx';
import { insertAt } from '../../model/paths.ts';
import { PreviewCard } from './preview-card.tsx';
import { usePreview, type Subject } from '../../data/use-preview.ts';

export default function MappingPanel({ intake, kind }: { intake: Intake; kind: IntakeKindInfo }) {
  const [subject, setSubject] = useState<Subject>({ kind: 'latest' });
  const [resetting, setResetting] = useState(false);
  const { templates, setTemplates, busy, errors, setErrors, save } = useMapping(intake);
  const mapping = templates === null ? null : toMapping(templates);
  const preview = usePreview(intake.id, intake.preset, mapping, subject);
  const previewErrors = preview.error === null ? null : fieldErrorsOf(preview.error, 'Failed to try it');
  // A server that cannot try it now, or a delivery that is gone, keeps nobody from saving.
  const templateErrors = previewErrors !== null && isInTemplates(previewErrors) ? previewErrors : null;
  // While a template is wrong, the values of the last preview can still be picked.
  const [lastPreview, setLastPreview] = useState<Preview | null>(null);
  if (preview.data !== undefined && preview.data !== lastPreview) setLastPreview(preview.data);
  const { onFocus, pick } = useValuePicker(templates, (next) => {
    setTemplates(next);
    setErrors(null);
  });
  const frame = useFocusOnSwitch(templates !== null);
  const reader = presetOf(kind, intake.preset)?.title ?? 'the preset';
  const isUnchanged = JSON.stringify(mapping) === JSON.stringify(intake.mapping);

  return (
    <div ref={frame} className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Card
        title="Mapping"
        description={
          templates === null
            ? `Deliveries are read as ${reader} writes them.`
            : 'Liquid templates that see the payload. What is empty is left to the defaults.'
        }
      >
        {templates === null ? (
          <Button onClick={() => setTemplates(emptyTemplates)}>Write your own</Button>
        ) : (
          <Form
            noValidate
            failure={errors}
            className="flex flex-col gap-4"
            onSubmit={() => {
              if (mapping !== null) void save(mapping);
            }}
          >
            <MappingFields
              templates={templates}
              errors={templateErrors ?? errors}
              disabled={busy}
              onChange={(next) => {
                setTemplates(next);
                setErrors(null);
              }}
              onFocus={onFocus}
            />
            <ProblemBanner problem={errors && summaryOf(errors)} onDismiss={() => setErrors(null)} />
            <div className="flex flex-wrap justify-end gap-2">
              <Button
                kind="quiet"
                className="mr-auto -ml-2"
                disabled={busy}
                onClick={() => (intake.mapping === null ? setTemplates(null) : setResetting(true))}
              >
                Back to the preset
              </Button>
              <Button
                type="submit"
                kind="primary"
                disabled={busy || mapping === null || isUnchanged || templateErrors !== null}
              >
                {busy ? 'Saving…' : 'Save mapping'}
              </Button>
            </div>
          </Form>
        )}
      </Card>
      <div className="lg:sticky lg:top-20">
        <PreviewCard
          intake={intake}
          preview={lastPreview}
          errors={previewErrors}
          isStale={preview.isFetching}
          subject={subject}
          onSubject={setSubject}
          onPick={templates === null ? null : pick}
        />
      </div>
      <Confirm
        open={resetting}
        title="Back to the preset"
        question={`Deliveries are read as ${reader} writes them again, and your templates are gone.`}
        action="Remove the mapping"
        busy={busy}
        onCancel={() => setResetting(false)}
        onConfirm={() => void save(null).then(() => setResetting(false))}
      />
    </div>
  );
}

/** The templates that are being written; null while the preset reads. */
function useMapping({ id, mapping }: Intake) {
  const { edit } = useIntakeCalls();
  const [templates, setTemplates] = useState<Templates | null>(() => startOf(mapping));
  const { busy, problem: errors, setProblem: setErrors, run } = useAction<FieldErrors>();

  async function save(next: IntakeMapping | null) {
    await run(
      async () => {
        const saved = await edit(id, { mapping: next });
        setTemplates(startOf(saved.mapping));
        void notify({
          text: next === null ? 'Read by the preset again' : 'Saved: the next delivery is read by it',
        });
      },
      (error) => fieldErrorsOf(error, 'Failed to save the mapping'),
    );
  }

  return { templates, setTemplates, busy, errors, setErrors, save };
}

/** Inserts the name of a value at the cursor of the field that was focused last, or into the content. */
function useValuePicker(templates: Templates | null, onChange: (templates: Templates) => void) {
  const target = useRef<{ name: TemplateName; node: HTMLTextAreaElement } | null>(null);

  function pick(name: string) {
    if (templates === null) return;
    const field = target.current;
    const into = field?.name ?? 'content';
    const { length } = templates[into];
    const selection: [number, number] =
      field === null ? [length, length] : [field.node.selectionStart, field.node.selectionEnd];
    const { text, cursor } = insertAt(templates[into], `{{ ${name} }}`, selection);
    onChange({ ...templates, [into]: text });
    if (field === null) return;
    field.node.focus();
    // Once the new text is drawn.
    requestAnimationFrame(() => field.node.setSelectionRange(cursor, cursor));
  }

  return {
    onFocus: (name: TemplateName, node: HTMLTextAreaElement) => {
      target.current = { name, node };
    },
    pick,
  };
}

/** The form takes the place of the pressed button, or the other way round: the focus goes there. */
function useFocusOnSwitch(isOwn: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const wasOwn = useRef(isOwn);
  useEffect(() => {
    if (wasOwn.current === isOwn) return;
    wasOwn.current = isOwn;
    frame.current?.querySelector<HTMLElement>('textarea, button')?.focus();
  }, [isOwn]);
  return frame;
}

function startOf(mapping: IntakeMapping | null): Templates | null {
  return mapping === null ? null : { ...emptyTemplates, ...mapping };
}
