// The API's documentation, drawn from the server's own OpenAPI description. It fetches nothing, so that its
// beginning can be drawn at build time.
import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { inLines, quickCurl } from '../../../lib/quick-curl.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { onDemand } from '../../../ui/on-demand.tsx';
import { useShownKey } from '../data/page-state.ts';
import { baseUrlOf, groupsOf, type ApiDocument } from '../model/document.ts';
import { SECTIONS } from '../model/sections.ts';
import { Coloured } from '../parts/code.tsx';
import { KeyField } from '../parts/key-field.tsx';
import { OnThisPage } from '../parts/on-this-page.tsx';
import { Section, TEXT_LINK } from '../parts/section.tsx';

/** Must be there before a description is given. */
export const Reference = onDemand(() => import('./reference.tsx'));

export interface ApiDocsProps {
  /** Where this page was served from. */
  origin: string;
  /** Undefined until it has come. */
  description: ApiDocument | undefined;
  failed: boolean;
  onRetry: () => void;
  /** Whether a person is signed in, who can make keys. */
  canMakeKeys: boolean;
  /** Null where the operator gave no address, undefined while that is not known. */
  supportEmail: string | null | undefined;
}

export function ApiDocs(props: ApiDocsProps) {
  const { origin, description, failed, onRetry, canMakeKeys, supportEmail } = props;
  const baseUrl = baseUrlOf(description, origin);
  return (
    <main className="mx-auto w-full max-w-[60rem] flex-1 px-4 pt-8 xl:max-w-[75rem] pb-6 sm:px-6 sm:pt-10">
      <Link
        href="/"
        className="-ml-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-14 text-ink-2 hover:text-ink-1 touch:min-h-11"
      >
        <ArrowLeft size={16} aria-hidden />
        Back to home
      </Link>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-28 font-semibold tracking-[-0.015em]">API Documentation</h1>
          <p className="mt-1 text-16 text-ink-2">REST API v1</p>
        </div>
        <Link href="/inbox" className={buttonClass('primary')}>
          Open Inbox
        </Link>
      </div>
      <div className="mt-8 gap-12 border-t border-line-1 pt-8 lg:grid lg:grid-cols-[10.5rem_minmax(0,1fr)]">
        <OnThisPage groups={description === undefined ? [] : groupsOf(description)} />
        <div className="min-w-0">
          <Start baseUrl={baseUrl} canMakeKeys={canMakeKeys} />
          {description === undefined ? (
            <NotYet failed={failed} onRetry={onRetry} />
          ) : (
            <Reference.Component document={description} baseUrl={baseUrl} />
          )}
        </div>
      </div>
      <Footer support={supportEmail} />
    </main>
  );
}

function Start({ baseUrl, canMakeKeys }: { baseUrl: string; canMakeKeys: boolean }) {
  const { shown, whole } = useShownKey();
  const command = (key: string) => quickCurl(baseUrl, undefined, key);
  return (
    <>
      <Section id="quick-start" title={SECTIONS['quick-start']}>
        <p className="mt-2 mb-3 text-16 text-ink-2">
          Authenticate with the <Code className="text-14">x-api-key</Code> header. You find your key in the
          inbox under{' '}
          <Link href="/admin" className={TEXT_LINK}>
            Settings
          </Link>
          . This is all it takes to create a task:
        </p>
        <Copyable
          label="Copy command"
          text={command(whole)}
          lines={<Coloured text={inLines(command(shown))} language="curl" />}
        />
        <div className="mt-3">
          <KeyField make={canMakeKeys ? { purpose: 'Create a task', scopes: ['ingest'] } : null} />
        </div>
      </Section>
      <Section id="base-url" title={SECTIONS['base-url']}>
        <div className="mt-3">
          <Copyable label="Copy base URL" text={baseUrl} lines={baseUrl} />
        </div>
      </Section>
    </>
  );
}

// As high as a window, so that nothing below it moves into view and out again.
function NotYet({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  return (
    <div className="mt-12 min-h-dvh">
      {failed ? (
        <Banner
          tone="danger"
          title="The description of the API could not be loaded"
          action={<Button onClick={onRetry}>Try again</Button>}
        >
          Endpoints, errors and limits come from the server, which did not answer.
        </Banner>
      ) : (
        <p role="status" className="text-14 text-ink-2">
          Loading the description of the API
        </p>
      )}
    </div>
  );
}

function Footer({ support }: { support: string | null | undefined }) {
  return (
    <footer className="mt-16 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line-1 py-6 text-14 text-ink-2">
      <Link href="/inbox" className={`inline-flex items-center touch:min-h-11 ${TEXT_LINK}`}>
        Back to the inbox
      </Link>
      <a
        href="/docs"
        className={`inline-flex items-center touch:min-h-11 touch:min-w-11 touch:justify-center ${TEXT_LINK}`}
      >
        Docs
      </a>
      <p className="min-h-5">
        {support === undefined ? null : support === null ? (
          'Need help? Ask the administrator of this server.'
        ) : (
          <>
            Need help?{' '}
            <a href={`mailto:${support}`} className={TEXT_LINK}>
              Contact support
            </a>
          </>
        )}
      </p>
    </footer>
  );
}
