// The server's tasks, over the page's own connection to the API.
import { api } from '../../../lib/services.ts';
import { createHttpBackend } from './http-backend.ts';

export const httpBackend = createHttpBackend(api);
