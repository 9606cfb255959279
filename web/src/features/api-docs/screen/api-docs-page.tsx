// The API's documentation with what the server says of itself.
import { useDeferredValue } from 'react';
import { usePageTitle } from '../../../lib/page-title.ts';
import { usePublicConfig } from '../../../lib/public-config.ts';
import { api } from '../../../lib/services.ts';
import { useFetchedOnce } from '../../../lib/use-fetched-once.ts';
import type { ApiDocument } from '../model/document.ts';
import { ApiDocs } from './api-docs.tsx';

const fetchDescription = async () =>
  (await api('GET /openapi.json', { as: 'nobody' })) as unknown as ApiDocument;

export default function ApiDocsPage() {
  usePageTitle('API Documentation');
  const config = usePublicConfig();
  const { data, failed, retry } = useFetchedOnce(fetchDescription);
  return (
    <ApiDocs
      origin={location.origin}
      // The reference is long: drawn in steps, between which the page answers.
      description={useDeferredValue(data)}
      failed={failed}
      onRetry={retry}
      supportEmail={config?.supportEmail}
    />
  );
}
