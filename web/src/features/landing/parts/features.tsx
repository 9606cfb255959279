// The sections about features and audiences.
import {
  ArrowDownUp,
  Clock,
  CloudUpload,
  Code,
  Inbox,
  Layers,
  ListChecks,
  Pin,
  Radio,
  Send,
  Server,
  Sunrise,
  Timer,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Priority } from '#core/contract/index.ts';
import { Keys } from '../../../ui/keys.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';

interface PartProps {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}

export function Part({ id, title, lead, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="mt-20 sm:mt-28">
      <h2 id={id} className="text-28 font-semibold tracking-[-0.015em] text-balance">
        {title}
      </h2>
      {lead === undefined ? null : <p className="mt-2 max-w-[36rem] text-16 text-ink-2">{lead}</p>}
      {children}
    </section>
  );
}

interface Step {
  icon: LucideIcon;
  title: string;
  text: ReactNode;
}

const STEPS: readonly Step[] = [
  {
    icon: Send,
    title: 'Send Tasks',
    text: 'One request is all it takes. Scripts, alerts, mail, webhooks and people push in what needs a look.',
  },
  {
    icon: Inbox,
    title: 'Triage Inbox',
    text: (
      <>
        The urgent stands out. Keep your hands on the keys: <Keys keys="j k" /> to move, <Keys keys="e" /> to
        acknowledge, <Keys keys="p" /> to pin.
      </>
    ),
  },
  {
    icon: Timer,
    title: 'Act or Expire',
    text: 'Done is one key away. What nobody keeps is gone after 24 hours, so tomorrow starts clean.',
  },
];

export function Steps() {
  return (
    <ol className="mt-8 grid gap-x-8 gap-y-10 sm:grid-cols-3">
      {STEPS.map(({ icon: Icon, title, text }, index) => (
        <li key={title}>
          <p className="flex items-center gap-3">
            <span className="flex size-10 items-center justify-center rounded-md bg-accent-soft text-accent">
              <Icon size={20} aria-hidden />
            </span>
            <span aria-hidden className="nums font-mono text-13 text-ink-3">
              {index + 1}
            </span>
          </p>
          <h3 className="mt-4 text-16 font-semibold">{title}</h3>
          <p className="mt-1 text-16 text-ink-2">{text}</p>
        </li>
      ))}
    </ol>
  );
}

const FEATURES: readonly (Step & { text: string })[] = [
  {
    icon: Clock,
    title: 'Ephemeral by Design',
    text: 'Every task lives for 24 hours. No backlog, no guilt, no cleaning up.',
  },
  {
    icon: ArrowDownUp,
    title: 'Priority System',
    text: 'High, normal or low, each with a shape of its own, so that an eye finds it at once.',
  },
  {
    icon: Pin,
    title: 'Pin Important Tasks',
    text: 'What must not be lost stays on top until you acknowledge it.',
  },
  {
    icon: Layers,
    title: 'Multiple Sources',
    text: 'REST, Slack, e-mail, webhooks and the web land in the same list.',
  },
  {
    icon: CloudUpload,
    title: 'Cloud-Based',
    text: 'Runs on your server or in your cloud, and opens in any browser, as an app if you like.',
  },
  {
    icon: Radio,
    title: 'Real-time Updates',
    text: 'A live connection shows what comes in while you look, on every screen.',
  },
];

export function CoreFeatures() {
  return (
    <ul className="mt-8 grid gap-px overflow-hidden rounded-lg border border-line-1 bg-line-1 sm:grid-cols-2 lg:grid-cols-3">
      {FEATURES.map(({ icon: Icon, title, text }) => (
        <li key={title} className="bg-surface-1 p-5">
          <Icon size={20} aria-hidden className="text-accent" />
          <h3 className="mt-3 text-16 font-semibold">{title}</h3>
          <p className="mt-1 text-14 text-ink-2">{text}</p>
        </li>
      ))}
    </ul>
  );
}

const AUDIENCES: readonly { icon: LucideIcon; title: string; task: string; priority: Priority }[] = [
  { icon: Code, title: 'Development teams', task: 'CI failed on main: 2 of 418 tests', priority: 'high' },
  {
    icon: Server,
    title: 'System administrators',
    task: 'Certificate of staging ends tomorrow',
    priority: 'high',
  },
  { icon: ListChecks, title: 'Product managers', task: 'Feedback from the pilot is in', priority: 'normal' },
  { icon: Sunrise, title: 'Personal productivity', task: 'Pick up the parcel before six', priority: 'low' },
];

export function Audiences() {
  return (
    <ul className="mt-8 grid gap-4 sm:grid-cols-2">
      {AUDIENCES.map(({ icon: Icon, title, task, priority }) => (
        <li key={title} className="rounded-lg border border-line-1 p-5">
          <h3 className="flex items-center gap-3 text-16 font-semibold">
            <Icon size={18} aria-hidden className="text-ink-3" />
            {title}
          </h3>
          <p className="mt-4 flex items-center gap-3 rounded-md border border-line-1 bg-surface-1 px-3.5 py-2.5 text-14">
            <PriorityMark priority={priority} named />
            {task}
          </p>
        </li>
      ))}
    </ul>
  );
}
