// The devices that get pushes: tried and revoked one by one.
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import type { PushDevice } from '#core/contract/index.ts';
import { problemWith } from '../../../../lib/api/api-error.ts';
import type { usePushDevice } from '../../../../lib/push/use-push-device.ts';
import { fullTime } from '../../../../lib/time.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { ConfirmItem } from '../../../../ui/confirm.tsx';
import { usePushDevices } from '../../data/push.ts';

interface DevicesCardProps {
  devices: readonly PushDevice[];
  own: ReturnType<typeof usePushDevice>;
}

export function DevicesCard({ devices, own }: DevicesCardProps) {
  const { refetch, test, revoke } = usePushDevices();
  const [ending, setEnding] = useState<PushDevice | null>(null);
  const [tested, setTested] = useState('');
  const { busy, problem, setProblem, run } = useAction();

  async function tryOut({ id, name }: PushDevice) {
    setTested('');
    if (await run(() => test(id), problemWith('Failed to send a test')))
      setTested(`A test is on its way to ${name}.`);
  }

  async function end(device: PushDevice) {
    setTested('');
    if (device.id === own.device) await own.turnOff().then(refetch);
    else await run(() => revoke(device.id), problemWith('Failed to revoke the device'));
    setEnding(null);
  }

  return (
    <Card title="Devices">
      <ProblemBanner className="mb-4" problem={problem} onDismiss={() => setProblem(null)} />
      {devices.length === 0 ? (
        <p className="text-14 text-ink-2">No device gets pushes yet.</p>
      ) : (
        <ul aria-label="Devices that get pushes" className="divide-y divide-line-1 border-t border-line-1">
          {devices.map((device) => (
            <Device
              key={device.id}
              device={device}
              isOwn={device.id === own.device}
              busy={busy}
              onTest={() => void tryOut(device)}
              onRevoke={() => setEnding(device)}
            />
          ))}
        </ul>
      )}
      <p role="status" className={tested === '' ? 'sr-only' : 'pt-3 text-14 text-ink-2'}>
        {tested}
      </p>
      <ConfirmItem
        item={ending}
        title={({ name }) => `Revoke ${name}`}
        question={() => 'It gets no more pushes. They can be turned on again there.'}
        action="Revoke"
        busy={busy || own.busy}
        onCancel={() => setEnding(null)}
        onConfirm={(device) => void end(device)}
      />
    </Card>
  );
}

interface DeviceProps {
  device: PushDevice;
  isOwn: boolean;
  busy: boolean;
  onTest: () => void;
  onRevoke: () => void;
}

function Device({ device: { name, createdAt, lastUsedAt }, isOwn, busy, onTest, onRevoke }: DeviceProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 last:pb-0">
      <MonitorSmartphone size={17} aria-hidden className="shrink-0 text-ink-3 max-sm:hidden" />
      <div className="min-w-[12rem] flex-1 text-14">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-medium wrap-anywhere">{name}</span>
          {isOwn ? <span className="text-13 text-accent">This device</span> : null}
        </p>
        <p className="flex flex-wrap gap-x-3 text-13 text-ink-3">
          <span>{lastUsedAt === null ? 'Not used yet' : `Last used ${fullTime(lastUsedAt)}`}</span>
          <span>Added {fullTime(createdAt)}</span>
        </p>
      </div>
      <div className="flex gap-2">
        <Button disabled={busy} aria-label={`Test ${name}`} onClick={onTest}>
          Test
        </Button>
        <Button kind="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      </div>
    </li>
  );
}
