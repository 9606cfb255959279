// One intake: its address, its deliveries, its mapping and its settings.
import { Tabs } from '@base-ui/react/tabs';
import { Pause, Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import type { Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { ApiError, problemWith } from '../../../lib/api/api-error.ts';
import { useCommands } from '../../../lib/palette-commands.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { notify } from '../../../ui/toast.tsx';
import { KindIcon, PausedChip, UnverifiedChip } from '../parts/chips.tsx';
import { kindOf, useIntake, useIntakeCalls, useKinds } from '../data/intakes.ts';
import { PageFrame } from '../parts/page-frame.tsx';
import { isUnverified, senderOf } from '../model/labels.ts';
import { AddressPanel } from '../parts/detail/address-panel.tsx';
import { DeliveriesPanel } from '../parts/detail/deliveries-panel.tsx';
import { SettingsPanel } from '../parts/detail/settings-panel.tsx';

const MappingPanel = lazy(() => import('../parts/mapping/mapping-panel.tsx'));

const INTAKES = { href: '/admin/intakes', label: 'Intakes' };

export default function IntakePage() {
  const { id = '' } = useParams();
  const query = useIntake(id);
  const { data: intake, error } = query;
  usePageTitle(intake?.name ?? 'Intake');

  if (intake !== undefined) return <Known intake={intake} />;
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <PageFrame wide back={INTAKES} title={isGone ? 'There is no such intake' : 'Intake'}>
      {isGone ? (
        <p className="text-16 text-ink-2">It may have been revoked. Its address is unknown since then.</p>
      ) : (
        <Loaded query={query} size="large" loading="Loading the intake" failure="Failed to fetch the intake">
          {() => null}
        </Loaded>
      )}
    </PageFrame>
  );
}

const TABS = ['deliveries', 'mapping', 'settings'] as const;
type Tab = (typeof TABS)[number];
const TAB_LABEL: Record<Tab, string> = {
  deliveries: 'Deliveries',
  mapping: 'Mapping',
  settings: 'Settings',
};

function Known({ intake }: { intake: Intake }) {
  const { data: kinds } = useKinds();
  const { edit } = useIntakeCalls();
  const { busy, problem, setProblem, run } = useAction();
  const kind = kindOf(kinds, intake.adapter);
  const sender = senderOf(intake, kind);
  const { paused } = intake;

  async function togglePaused() {
    const failure = paused ? 'Failed to resume the intake' : 'Failed to pause the intake';
    if (await run(() => edit(intake.id, { paused: !paused }), problemWith(failure)))
      void notify({
        text: paused ? 'It takes deliveries again.' : 'Paused. Senders are asked to come back later.',
      });
  }

  useCommands(() => [
    {
      id: 'intake-pause',
      label: paused ? 'Resume this intake' : 'Pause this intake',
      group: 'Intake',
      run: () => void togglePaused(),
    },
  ]);

  return (
    <PageFrame
      wide
      back={INTAKES}
      title={intake.name}
      subtitle={
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <KindIcon kind={intake.addressKind} />
          {sender === intake.name ? kind?.title : sender}
          {paused ? <PausedChip /> : null}
          {kind !== null && isUnverified(intake, kind) ? <UnverifiedChip /> : null}
        </span>
      }
      actions={
        <Button disabled={busy} onClick={() => void togglePaused()}>
          {paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
          {paused ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
        <AddressPanel key={intake.id} intake={intake} kind={kind} />
        <IntakeTabs intake={intake} kind={kind} />
      </div>
    </PageFrame>
  );
}

function IntakeTabs({ intake, kind }: { intake: Intake; kind: IntakeKindInfo | null }) {
  const [params, setParams] = useSearchParams();
  const tabs = TABS.filter((tab) => tab !== 'mapping' || kind?.takesMapping !== false);
  const tab = tabs.find((each) => each === params.get('tab')) ?? 'deliveries';
  /** Text that was typed in a tab stays there while another one is shown. */
  const [visited, setVisited] = useState<readonly Tab[]>([tab]);

  function show(next: Tab) {
    setVisited([...visited, next]);
    setParams(next === 'deliveries' ? {} : { tab: next }, { replace: true });
  }

  useCommands(() =>
    tabs
      .filter((each) => each !== tab)
      .map((each) => ({
        id: `intake-${each}`,
        label: `Show its ${TAB_LABEL[each].toLowerCase()}`,
        group: 'Intake',
        run: () => show(each),
      })),
  );

  return (
    <Tabs.Root value={tab} onValueChange={(next) => show(tabs.find((each) => each === next) ?? tab)}>
      <Tabs.List aria-label="About this intake" className="mb-4 flex gap-1 border-b border-line-1">
        {tabs.map((each) => (
          <Tabs.Tab
            key={each}
            value={each}
            className="-mb-px h-10 touch:h-11 rounded-t-sm border-b-2 border-transparent px-3 text-14 font-medium text-ink-2 transition-colors hover:text-ink-1 focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink-1"
          >
            {TAB_LABEL[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="deliveries" className="rounded-lg">
        <DeliveriesPanel intake={intake} />
      </Tabs.Panel>
      <Tabs.Panel value="mapping" keepMounted={visited.includes('mapping')} className="rounded-lg">
        {kind === null ? null : (
          <Suspense fallback={<Spinner label="Loading the mapping" />}>
            <MappingPanel intake={intake} kind={kind} />
          </Suspense>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="settings" keepMounted={visited.includes('settings')} className="rounded-lg">
        {kind === null ? <Spinner label="Loading the form" /> : <SettingsPanel intake={intake} kind={kind} />}
      </Tabs.Panel>
    </Tabs.Root>
  );
}
