// A new intake in two steps: choose who sends, say how it proves itself. The third, trying it out, is the intake's own page.
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { problemOf } from '../../../lib/api/api-error.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { kindOf, presetOf, useIntakeCalls, useKinds } from '../data/intakes.ts';
import { newDraft, secretsOf, toCreate } from '../model/draft.ts';
import { IntakeForm } from '../parts/form/intake-form.tsx';
import { randomSecret } from '../model/random-secret.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { Gallery } from '../parts/sender-gallery.tsx';

const SETTINGS = { href: '/admin', label: 'Settings' };
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
      back={SETTINGS}
      subtitle="An address for one sender. What it delivers there becomes tasks in your inbox."
    >
      {kinds.error === null ? null : (
        <Banner tone="danger" action={<Button onClick={() => void kinds.refetch()}>Try again</Button>}>
          <ProblemText {...problemOf(kinds.error, 'Failed to fetch what senders there are')} />
        </Banner>
      )}
      {kinds.data === undefined ? (
        kinds.error === null ? (
          <Spinner size="large" label="Loading senders" />
        ) : null
      ) : (
        <Gallery kinds={kinds.data} />
      )}
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
        kept={null}
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
