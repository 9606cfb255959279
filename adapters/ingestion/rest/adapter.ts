// Tasks over the REST API. Its calls are the API's own, served from the contract (POST /tasks); this only says that they are there.
import { Type } from 'typebox';
import { defineAdapter } from '#core/ports/adapter/adapter.ts';

export default defineAdapter({
  id: 'rest',
  title: 'REST API',
  roles: ['api'],
  source: 'api',
  configSchema: Type.Object({}),
  environment: {},
  secretFields: [],
  start: () => ({ stop: () => Promise.resolve() }),
});
