// The API's documentation, drawn from the server's own OpenAPI description. It fetches nothing, so that its
// beginning can be drawn at build time.
import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { inLines, PLACEHOLDER_KEY, quickCurl } from '../../../lib/quick-curl.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { baseUrlOf, fieldsOf, limitHeadersOf, operationOf, type ApiDocument } from '../model/document.ts';
import { CodeTabs } from '../parts/code-tabs.tsx';
import { Endpoints } from '../parts/endpoints.tsx';
import { ErrorTables, Table } from '../parts/errors-section.tsx';
import { FieldList } from '../parts/field-list.tsx';
import { Section } from '../parts/section.tsx';
import { snippets } from '../model/snippets.ts';

const SECTIONS = {
  'quick-start': 'Quick Start',
  'base-url': 'Base URL',
  'request-parameters': 'Request Parameters',
  examples: 'Examples',
  endpoints: 'Endpoints',
  'error-handling': 'Error Handling',
  'rate-limiting': 'Rate Limiting',
};

const TEXT_LINK = 'font-medium text-accent underline underline-offset-3';

export interface ApiDocsProps {
  /** Where this page was served from. */
  origin: string;
  /** Undefined until it has come. */
  description: ApiDocument | undefined;
  failed: boolean;
  onRetry: () => void;
  /** Null where the operator gave no address, undefined while that is not known. */
  supportEmail: string | null | undefined;
}

export function ApiDocs({ origin, description, failed, onRetry, supportEmail }: ApiDocsProps) {
  const baseUrl = baseUrlOf(description, origin);
  return (
    <main className="mx-auto w-full max-w-[60rem] flex-1 px-4 pt-8 pb-6 sm:px-6 sm:pt-10">
      <Link
        href="/"
        className="-ml-1 inline-flex items-center gap-1.5 rounded-sm px-1 text-14 text-ink-2 hover:text-ink-1"
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
        <nav aria-label="On this page" className="max-lg:hidden">
          <ul className="sticky top-22 -ml-3 flex flex-col gap-0.5">
            {Object.entries(SECTIONS).map(([id, title]) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block rounded-sm px-3 py-1.5 text-14 text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          <Start baseUrl={baseUrl} />
          {description === undefined ? (
            <NotYet failed={failed} onRetry={onRetry} />
          ) : (
            <Reference document={description} baseUrl={baseUrl} />
          )}
        </div>
      </div>
      <Footer support={supportEmail} />
    </main>
  );
}

function Start({ baseUrl }: { baseUrl: string }) {
  const command = quickCurl(baseUrl);
  return (
    <>
      <Section id="quick-start" title={SECTIONS['quick-start']}>
        <p className="mt-2 mb-3 text-16 text-ink-2">
          Authenticate with the <code className="font-mono text-14">x-api-key</code> header. You find your key
          in the inbox under{' '}
          <Link href="/admin" className={TEXT_LINK}>
            Settings
          </Link>
          . This is all it takes to create a task:
        </p>
        <Copyable label="Copy command" text={command} lines={inLines(command)} />
      </Section>
      <Section id="base-url" title={SECTIONS['base-url']}>
        <div className="mt-3">
          <Copyable label="Copy base URL" text={baseUrl} lines={baseUrl} />
        </div>
      </Section>
    </>
  );
}

function Reference({ document: description, baseUrl }: { document: ApiDocument; baseUrl: string }) {
  const creation = operationOf(description, 'createTask');
  const body = creation?.requestBody?.content?.['application/json']?.schema;
  const { perMinute, perHour } = description['x-rate-limit'];
  return (
    <>
      <Section id="request-parameters" title={SECTIONS['request-parameters']}>
        <p className="mt-2 mb-3 text-16 text-ink-2">What a new task may say, as JSON:</p>
        {body === undefined ? null : (
          <FieldList optional label="Fields of a new task" fields={fieldsOf(body)} />
        )}
      </Section>
      <Section id="examples" title={SECTIONS.examples}>
        <CodeTabs snippets={snippets({ baseUrl, apiKey: PLACEHOLDER_KEY, taskId: 'task_id' })} />
      </Section>
      <Section id="endpoints" title={SECTIONS.endpoints}>
        <p className="mt-2 text-16 text-ink-2">
          All of it is also in the{' '}
          <a href="/api/v1/openapi.json" className={TEXT_LINK}>
            OpenAPI document
          </a>
          , for your own tools.
        </p>
        <Endpoints document={description} />
      </Section>
      <Section id="error-handling" title={SECTIONS['error-handling']}>
        <ErrorTables document={description} />
      </Section>
      <Section id="rate-limiting" title={SECTIONS['rate-limiting']}>
        <p className="mt-2 mb-4 text-16 text-ink-2">
          {perMinute.toLocaleString('en-US')} requests per minute and {perHour.toLocaleString('en-US')} per
          hour for each API key. Every answer tells how many are left:
        </p>
        <Table
          caption="Headers"
          head={['Header', 'Meaning']}
          rows={limitHeadersOf(description).map(({ name, description: meaning }) => [name, meaning])}
        />
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
      <Link href="/inbox" className={TEXT_LINK}>
        Back to the inbox
      </Link>
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
