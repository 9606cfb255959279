// The landing screen. It needs no session, so that it can be drawn at build time.
import { Link } from 'wouter';
import { API_BASE } from '#core/contract/protocol.ts';
import { inLines, quickCurl } from '../../../lib/quick-curl.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Audiences, CoreFeatures, Part, Steps } from '../parts/features.tsx';
import { Lifecycle } from '../parts/lifecycle.tsx';
import { LiveDemo } from '../parts/live-demo.tsx';

/** `origin`: where this page was served from. */
export function Landing({ origin }: { origin: string }) {
  const command = quickCurl(`${origin}${API_BASE}`);
  return (
    <main className="mx-auto w-full max-w-[60rem] flex-1 px-4 pt-12 pb-10 sm:px-6 sm:pt-20">
      <div className="grid items-center gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div>
          <h1 className="landing-title font-semibold tracking-[-0.03em] text-balance">Focus on today</h1>
          <p className="mt-4 max-w-[32rem] text-16 text-ink-2">
            Everything that needs attention lands in one live list. Acknowledge it, pin the few that matter,
            and whatever nobody keeps is gone after 24 hours.
          </p>
          {/* In one line on the narrowest phone. */}
          <div className="mt-7 flex flex-wrap gap-2 sm:gap-3">
            <Link href="/inbox" className={buttonClass('primary', 'h-11 sm:px-5')}>
              Open Inbox
            </Link>
            <Link href="/api-docs" className={buttonClass('secondary', 'h-11 sm:px-5')}>
              View API Docs
            </Link>
            <a href="/docs" className={buttonClass('quiet', 'h-11 sm:px-4')}>
              Docs
            </a>
          </div>
        </div>
        <LiveDemo />
      </div>
      <Part id="how-it-works" title="How It Works">
        <Steps />
        <div className="mt-10 max-w-[44rem]">
          <p className="mb-2 text-14 text-ink-2">Try it from any terminal, with an API key of yours:</p>
          <Copyable label="Copy command" text={command} lines={inLines(command)} />
        </div>
      </Part>
      <Part
        id="lifecycle"
        title="Task Lifecycle Timeline"
        lead="Drag through a day and see what becomes of a task."
      >
        <Lifecycle />
      </Part>
      <Part id="features" title="Core Features">
        <CoreFeatures />
      </Part>
      <Part id="perfect-for" title="Perfect For">
        <Audiences />
      </Part>
      <section
        aria-labelledby="start"
        className="mt-20 border-t border-line-1 py-16 text-center sm:mt-28 sm:py-20"
      >
        <h2 id="start" className="text-28 font-semibold tracking-[-0.015em] text-balance">
          What needs you today?
        </h2>
        <p className="mx-auto mt-2 max-w-[30rem] text-16 text-balance text-ink-2">
          Open the inbox and look around. No account is needed for that.
        </p>
        <Link href="/inbox" className={buttonClass('primary', 'mt-6 h-11 px-6')}>
          Get Started
        </Link>
      </section>
    </main>
  );
}
