// The digest: what expired unseen, once a day, saved as it is changed.
import { useState } from 'react';
import type { Digest } from '#core/contract/index.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { ownZone } from '#core/domain/snooze-times.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { TimeField, ZoneField } from '../../../ui/clock-fields.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Pills } from '../../../ui/pills.tsx';
import { SavedCard } from '../../../ui/saved-card.tsx';
import { useDigest, useSaveDigest } from '../data/digest.ts';

type Way = Digest['to'][number];

export function DigestCard() {
  const { save, ...frame } = useSaveDigest();
  return (
    <SavedCard title="Digest" {...frame} onDismiss={frame.dismiss}>
      <Loaded query={useDigest()} loading="Loading the digest" failure="Failed to load the digest">
        {({ digest, mail }) => <Settings digest={digest} mail={mail} onChange={(next) => save(() => next)} />}
      </Loaded>
    </SavedCard>
  );
}

interface SettingsProps {
  digest: Digest | null;
  mail: boolean;
  onChange: (digest: Digest | null) => void;
}

function Settings({ digest, mail, onChange }: SettingsProps) {
  // That of before comes back when it is switched on again.
  const [last, setLast] = useState(digest);
  if (digest !== null && digest !== last) setLast(digest);
  return (
    <>
      <CheckBox
        label="Tell me once a day what expired unseen"
        hint="Tasks whose time was up before anybody acknowledged them. When there are none, nothing comes."
        checked={digest !== null}
        onChange={(isOn) =>
          onChange(isOn ? (last ?? { time: '08:00', zone: ownZone(), to: ['task'] }) : null)
        }
      />
      {digest === null ? null : (
        <>
          <div className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
            <TimeField
              key={digest.time}
              label="At"
              time={digest.time}
              onChange={(time) => onChange({ ...digest, time })}
            />
            <ZoneField zone={digest.zone} onChange={(zone) => onChange({ ...digest, zone })} />
          </div>
          <Ways to={digest.to} mail={mail} onChange={(to) => onChange({ ...digest, to })} />
        </>
      )}
    </>
  );
}

interface WaysProps {
  to: readonly Way[];
  mail: boolean;
  onChange: (to: Way[]) => void;
}

function Ways({ to, mail, onChange }: WaysProps) {
  const { user } = useSession();
  const [needsOne, setNeedsOne] = useState(false);
  const address = user !== null && 'email' in user ? user.email : '';
  const ways: readonly { value: Way; label: string }[] = [
    { value: 'task', label: 'A task in my inbox' },
    { value: 'push', label: 'A push to my devices' },
    ...(mail || to.includes('mail') ? [{ value: 'mail' as const, label: `Mail to ${address}` }] : []),
  ];
  return (
    <Pills
      label="Comes as"
      hint={mail ? undefined : 'Mail is not offered: the operator of this server names no relay for it.'}
      options={ways}
      chosen={to}
      error={needsOne ? 'Choose at least one, or switch the digest off.' : undefined}
      onToggle={(way, isOn) => {
        const next = ways
          .map(({ value }) => value)
          .filter((each) => (each === way ? isOn : to.includes(each)));
        setNeedsOne(next.length === 0);
        if (next.length > 0) onChange(next);
      }}
    />
  );
}
