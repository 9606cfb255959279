// A new intake: choose the sender, then fill in the form. The intake's own page is where it is tried out.
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { kindOf, presetOf, useIntakeCalls, useKinds } from '../data/intakes.ts';
import { newDraft, secretsOf, toCreate } from '../model/draft.ts';
import { IntakeForm } from '../parts/form/intake-form.tsx';
import { randomSecret } from '../model/schema-form.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { SenderGallery } from '../parts/sender-gallery.tsx';

const INTAKES = { href: '/admin/intakes', label: 'Intakes' };
const SENDERS = { href: '/admin/intakes/new', label: 'All senders' };

export default function NewIntakePage() {
  usePageTitle('New intake');
  const kinds = useKinds();
  const [params] = useSearchParams();
  const kind = kindOf(kinds.data, params.get('adapter') ?? '');
  const preset = presetOf(kind, params.get('preset'))?.id ?? kind?.presets[0]?.id ?? null;

  if (kind !== null) return <FormStep key={`${kind.id} ${preset ?? ''}`} kind={kind} preset={preset} />;
  return (
    <PageFrame
      title="New intake"
      back={INTAKES}
      subtitle="An address for one sender. What it delivers there becomes tasks in your inbox."
    >
      <Loaded
        query={kinds}
        size="large"
        loading="Loading senders"
        failure="Failed to fetch what senders there are"
      >
        {(all) => <SenderGallery kinds={all} />}
      </Loaded>
    </PageFrame>
  );
}

function FormStep({ kind, preset }: { kind: IntakeKindInfo; preset: string | null }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { create } = useIntakeCalls();
  const [, navigate] = useLocation();
  const [start] = useState(() => newDraft(kind, preset, randomSecret()));
  const about = presetOf(kind, preset);

  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);

  return (
    <PageFrame
      heading={heading}
      title={`New intake: ${about?.title ?? kind.title}`}
      back={SENDERS}
      subtitle={about?.description}
    >
      <IntakeForm
        kind={kind}
        start={start}
        stored={null}
        action="Create intake"
        fallback="Failed to create the intake"
        onSave={async (draft) => {
          const intake = await create(toCreate(draft, kind), secretsOf(draft, kind));
          navigate(`/admin/intakes/${intake.id}`, { replace: true });
        }}
      >
        {about === null ? null : (
          <div className="rounded-md bg-surface-2 px-4 py-3 text-14">
            <p className="font-medium">What comes next at the sender</p>
            <p className="mt-0.5 text-ink-2">{about.setup}</p>
          </div>
        )}
      </IntakeForm>
    </PageFrame>
  );
}
