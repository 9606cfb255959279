// The API's documentation with what the server says of itself.
import { useDeferredValue, useEffect } from 'react';
import { usePageTitle } from '../../../lib/page-title.ts';
import { usePublicConfig } from '../../../lib/public-config.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useFetchedOnce } from '../../../lib/use-fetched-once.ts';
import { forgetPage } from '../data/page-state.ts';
import type { ApiDocument } from '../model/document.ts';
import { ApiDocs, Reference } from './api-docs.tsx';

async function fetchDescription(): Promise<ApiDocument> {
  const [description] = await Promise.all([api('GET /openapi.json', { as: 'nobody' }), Reference.load()]);
  return description as unknown as ApiDocument;
}

export default function ApiDocsPage() {
  usePageTitle('API Documentation');
  const config = usePublicConfig();
  const { method, user } = useSession();
  // The key of one person is not for the next.
  useEffect(() => forgetPage, [method, user?.id]);
  const { data, failed, retry } = useFetchedOnce(fetchDescription);
  return (
    <ApiDocs
      origin={location.origin}
      // The reference is long: drawn in steps, between which the page answers.
      description={useDeferredValue(data)}
      failed={failed}
      onRetry={retry}
      canMakeKeys={method === 'jwt'}
      supportEmail={config?.supportEmail}
    />
  );
}
