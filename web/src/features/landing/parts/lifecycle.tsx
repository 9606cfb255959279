// The day of a task on a slider, pinned or not.
import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { DAY_HOURS, LATE_FROM_HOUR, LIFE_STAGES, momentOf, type Moment } from '../model/demo.ts';

const STEP_HOURS = 0.5;
const FIRST_HOUR = 6;
/** The day as the track shows it: time gets warmer as it runs out. */
const STRETCHES = [
  { from: 0, to: 1, fill: 'fill-accent' },
  { from: 1, to: 12, fill: 'fill-accent' },
  { from: 12, to: LATE_FROM_HOUR, fill: 'fill-warn/60' },
  { from: LATE_FROM_HOUR, to: DAY_HOURS, fill: 'fill-warn' },
];

const shareOf = (hours: number): string => `${(Math.max(0, hours) / DAY_HOURS) * 100}%`;

export function Lifecycle() {
  const [hour, setHour] = useState(FIRST_HOUR);
  const [pinned, setPinned] = useState(false);
  const moment = momentOf(hour, pinned);
  const { stage, story, gone } = moment;
  const stageTitle = LIFE_STAGES.find(({ id }) => id === stage)?.title ?? '';

  function pin() {
    // As in the product: a task that is unpinned when its time is up is given one more hour.
    if (pinned && hour === DAY_HOURS) setHour(DAY_HOURS - 1);
    setPinned(!pinned);
  }

  return (
    <div className="mt-8 rounded-lg border border-line-1 bg-surface-1 p-4 sm:p-6">
      <DemoRow hour={hour} pinned={pinned} moment={moment} />
      <div className="mt-3 flex items-start justify-between gap-4">
        <p className="min-h-12 text-14 max-sm:min-h-25 text-ink-2">
          <span className="font-medium text-ink-1">
            {hour === 0 ? 'Now' : `After ${hour} ${hour === 1 ? 'hour' : 'hours'}`}:{' '}
            {pinned ? 'pinned' : stageTitle}.
          </span>{' '}
          <span role="status">{story}</span>
        </p>
        <Button onClick={pin} className="w-24" disabled={gone}>
          {pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
          {pinned ? 'Unpin' : 'Pin'}
        </Button>
      </div>
      <DaySlider
        hour={hour}
        pinned={pinned}
        text={`${hour} hours: ${pinned ? 'pinned' : `${stageTitle}, ${moment.left}`}`}
        onChange={setHour}
      />
      <ol className="day-stages">
        {LIFE_STAGES.map(({ id, title, hours, at }) => (
          <li key={id} className={`day-stage-${id}`}>
            <button
              type="button"
              onClick={() => setHour(at)}
              aria-current={id === stage ? 'step' : undefined}
              className="block w-full rounded-sm py-1.5 text-ink-2 transition-colors hover:bg-surface-2 aria-[current]:bg-accent-soft aria-[current]:text-accent"
            >
              <span className="block text-14 font-medium max-sm:text-13">{title}</span>{' '}
              <span className="nums block text-13">{hours}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface MomentProps {
  hour: number;
  pinned: boolean;
}

function DemoRow({ hour, pinned, moment: { stage, left, gone, late } }: MomentProps & { moment: Moment }) {
  return (
    <div className="relative overflow-hidden rounded-md border border-line-1 bg-surface-0">
      {gone ? (
        <p className="absolute inset-0 flex items-center justify-center text-14 text-ink-2">Queue is empty</p>
      ) : null}
      <div
        className={`relative flex h-16 items-center gap-3 px-4 transition-opacity ${gone ? 'opacity-0' : ''}`}
        aria-hidden={gone}
      >
        <PriorityMark priority="high" named />
        <span className="min-w-0 flex-1 truncate text-16">Backup failed</span>
        <span
          className={`nums shrink-0 text-13 whitespace-nowrap ${late && !pinned ? 'font-medium text-warn' : 'text-ink-2'}`}
        >
          {left}
        </span>
        <svg aria-hidden className="absolute inset-x-0 bottom-0 h-0.5 w-full">
          <rect width="100%" height="2" className="fill-line-1" />
          <rect
            width={pinned ? '0%' : shareOf(DAY_HOURS - hour)}
            height="2"
            className={late ? 'fill-warn' : stage === 'aging' ? 'fill-warn/60' : 'fill-ink-3/60'}
          />
        </svg>
      </div>
    </div>
  );
}

function DaySlider({
  hour,
  pinned,
  text,
  onChange,
}: MomentProps & { text: string; onChange: (hour: number) => void }) {
  return (
    <div className="relative mt-3">
      <svg
        aria-hidden
        className="pointer-events-none absolute inset-x-[11px] top-1/2 h-1.5 w-[calc(100%-22px)] -translate-y-1/2 overflow-hidden rounded-full"
      >
        <rect width="100%" height="6" className="fill-surface-3" />
        {STRETCHES.map(({ from, to, fill }) => (
          <rect
            key={from}
            x={shareOf(from)}
            width={shareOf(Math.min(hour, to) - from)}
            height="6"
            className={pinned ? 'fill-accent' : fill}
          />
        ))}
        {STRETCHES.slice(1).map(({ from }) => (
          <rect key={from} x={shareOf(from)} width="2" height="6" className="fill-surface-1" />
        ))}
      </svg>
      <input
        type="range"
        min={0}
        max={DAY_HOURS}
        step={STEP_HOURS}
        value={hour}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        aria-label="Hours since the task was created"
        aria-valuetext={text}
        className="day-slider relative block w-full"
      />
    </div>
  );
}
