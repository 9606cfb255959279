// Where the API is described. The OpenAPI document is the one source; this page leads to it.
import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { usePageTitle } from '../../lib/page-title.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';

export default function ApiDocsPage() {
  usePageTitle('API Documentation');
  const base = `${location.origin}/api/v1`;
  return (
    <main className="mx-auto w-full max-w-[44rem] flex-1 px-4 py-10 sm:px-6">
      <Link href="/" className="inline-flex items-center gap-1.5 text-14 text-ink-2 hover:text-ink-1">
        <ArrowLeft size={16} aria-hidden />
        Back
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
      <section aria-labelledby="quick-start" className="mt-10">
        <h2 id="quick-start" className="text-20 font-semibold">
          Quick Start
        </h2>
        <p className="mt-2 mb-3 text-16 text-ink-2">
          Send your API key in the <code className="font-mono text-14">x-api-key</code> header. You find it in
          the inbox under Settings. The body can be plain text:
        </p>
        <Copyable label="Copy command" text={`curl -d "backup failed" -H "x-api-key: qi_…" ${base}/tasks`} />
      </section>
      <section aria-labelledby="base-url" className="mt-10">
        <h2 id="base-url" className="text-20 font-semibold">
          Base URL
        </h2>
        <div className="mt-3">
          <Copyable label="Copy base URL" text={base} />
        </div>
      </section>
      <section aria-labelledby="endpoints" className="mt-10">
        <h2 id="endpoints" className="text-20 font-semibold">
          Endpoints
        </h2>
        <p className="mt-2 text-16 text-ink-2">
          Every call, field and error is in the{' '}
          <a href="/api/v1/openapi.json" className="font-medium text-accent underline underline-offset-3">
            OpenAPI document
          </a>
          , which any API client can read.
        </p>
      </section>
    </main>
  );
}
