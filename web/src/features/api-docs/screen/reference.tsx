// The sections that are drawn from the server's description. Their code comes with it.
import { Download } from 'lucide-react';
import { grouped } from '../../../lib/text.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { useShownKey } from '../data/page-state.ts';
import { fieldsOf, limitHeadersOf, operationOf, type ApiDocument } from '../model/document.ts';
import { SECTIONS } from '../model/sections.ts';
import { snippets } from '../model/snippets.ts';
import { CodeTabs } from '../parts/code-tabs.tsx';
import { Endpoints } from '../parts/endpoints.tsx';
import { ErrorTables, Table } from '../parts/errors-section.tsx';
import { FieldList } from '../parts/field-list.tsx';
import { Section, TEXT_LINK } from '../parts/section.tsx';

interface ReferenceProps {
  document: ApiDocument;
  /** Ends in `/api/v1`. */
  baseUrl: string;
}

export default function Reference({ document: description, baseUrl }: ReferenceProps) {
  const creation = operationOf(description, 'createTask');
  const body = creation?.requestBody?.content?.['application/json']?.schema;
  const { perMinute, perHour } = description['x-rate-limit'];
  const keys = useShownKey();
  const fill = (apiKey: string) => snippets({ baseUrl, apiKey, taskId: 'task_id' });
  return (
    <>
      <Section id="request-parameters" title={SECTIONS['request-parameters']}>
        <p className="mt-2 mb-3 text-16 text-ink-2">What a new task may say, as JSON:</p>
        {body === undefined ? null : (
          <FieldList optional label="Fields of a new task" fields={fieldsOf(body)} />
        )}
      </Section>
      <Section id="examples" title={SECTIONS.examples}>
        <CodeTabs shown={fill(keys.shown)} whole={fill(keys.whole)} />
      </Section>
      <Section id="endpoints" title={SECTIONS.endpoints}>
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p className="text-16 text-ink-2">
            All of it is also in the{' '}
            <a href="/api/v1/openapi.json" className={TEXT_LINK}>
              OpenAPI document
            </a>
            , for your own tools.
          </p>
          <a href="/api/v1/openapi.json" download="qinbox-openapi.json" className={buttonClass()}>
            <Download size={15} aria-hidden />
            Download
          </a>
        </div>
        <Endpoints document={description} baseUrl={baseUrl} />
      </Section>
      <Section id="error-handling" title={SECTIONS['error-handling']}>
        <ErrorTables document={description} />
      </Section>
      <Section id="rate-limiting" title={SECTIONS['rate-limiting']}>
        <p className="mt-2 mb-4 text-16 text-ink-2">
          {grouped(perMinute)} requests per minute and {grouped(perHour)} per hour for each API key. Every
          answer tells how many are left:
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
