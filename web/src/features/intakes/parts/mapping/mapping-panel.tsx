// How deliveries are read: by the preset, or by templates of the owner's own, tried on a real payload while they are written.
import { useEffect, useRef, useState } from 'react';
import type { Intake, IntakeKindInfo, IntakeMapping, Preview } from '#core/contract/index.ts';
import { Banner, ProblemText } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Confirm } from '../../../../ui/confirm.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { presetOf, useIntakeCalls } from '../../data/intakes.ts';
import { fieldErrorsOf, summaryOf, type FieldErrors } from '../../model/field-errors.ts';
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

interface MappingPanelProps {
  intake: Intake;
  kind: IntakeKindInfo;
}

export default function MappingPanel({ intake, kind }: MappingPanelProps) {
  const { edit } = useIntakeCalls();
  const [templates, setTemplates] = useState<Templates | null>(() => startOf(intake.mapping));
  const [subject, setSubject] = useState<Subject>({ kind: 'latest' });
  const [busy, setBusy] = useState(false);
  const [resetting, setResetting] = useState(false);
  const [faults, setFaults] = useState<FieldErrors | null>(null);
  /** The field that was written in last, where a picked value goes. */
  const target = useRef<{ name: TemplateName; node: HTMLTextAreaElement } | null>(null);

  const frame = useRef<HTMLDivElement>(null);
  const mapping = templates === null ? null : toMapping(templates);
  const preview = usePreview(intake.id, intake.preset, mapping, subject);
  const previewFaults = preview.error === null ? null : fieldErrorsOf(preview.error, 'Failed to try it');
  // While a template is wrong, the values of what was read before can still be picked.
  const [read, setRead] = useState<Preview | null>(null);
  if (preview.data !== undefined && preview.data !== read) setRead(preview.data);
  const shownFaults = previewFaults ?? faults;
  const isChanged = JSON.stringify(mapping) !== JSON.stringify(intake.mapping);
  const reader = presetOf(kind, intake.preset)?.title ?? 'the preset';

  // Where the button was that was pressed there is a form now, or the other way round: the focus goes on there.
  const isOwn = templates !== null;
  const wasOwn = useRef(isOwn);
  useEffect(() => {
    if (wasOwn.current === isOwn) return;
    wasOwn.current = isOwn;
    frame.current?.querySelector<HTMLElement>('textarea, button')?.focus();
  }, [isOwn]);

  async function save(next: IntakeMapping | null) {
    setBusy(true);
    setFaults(null);
    try {
      const saved = await edit(intake.id, { mapping: next });
      setTemplates(startOf(saved.mapping));
      void notify({
        text: next === null ? 'Read by the preset again' : 'Saved: the next delivery is read by it',
      });
    } catch (error) {
      setFaults(fieldErrorsOf(error, 'Failed to save the mapping'));
    } finally {
      setBusy(false);
      setResetting(false);
    }
  }

  function pick(name: string) {
    if (templates === null) return;
    const field = target.current;
    const into = field?.name ?? 'content';
    const { text, cursor } = insertAt(
      templates[into],
      `{{ ${name} }}`,
      field === null
        ? [templates[into].length, templates[into].length]
        : [field.node.selectionStart, field.node.selectionEnd],
    );
    setTemplates({ ...templates, [into]: text });
    setFaults(null);
    if (field === null) return;
    field.node.focus();
    // Once the new text is drawn.
    requestAnimationFrame(() => field.node.setSelectionRange(cursor, cursor));
  }

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
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (mapping !== null) void save(mapping);
            }}
          >
            <MappingFields
              templates={templates}
              faults={shownFaults}
              disabled={busy}
              onChange={(next) => {
                setTemplates(next);
                setFaults(null);
              }}
              onFocus={(name, node) => (target.current = { name, node })}
            />
            {faults === null ? null : (
              <Banner tone="danger" onDismiss={() => setFaults(null)}>
                <ProblemText {...summaryOf(faults)} />
              </Banner>
            )}
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
                disabled={busy || mapping === null || !isChanged || previewFaults !== null}
              >
                {busy ? 'Saving…' : 'Save mapping'}
              </Button>
            </div>
          </form>
        )}
      </Card>
      <div className="lg:sticky lg:top-20">
        <PreviewCard
          intake={intake}
          preview={read}
          faults={previewFaults}
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
        onConfirm={() => void save(null)}
      />
    </div>
  );
}

function startOf(mapping: IntakeMapping | null): Templates | null {
  return mapping === null ? null : { ...emptyTemplates, ...mapping };
}
