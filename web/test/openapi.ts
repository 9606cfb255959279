// A small API, described as the server describes its own.

const error = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
const either = [{ apiKey: [] }, { accessToken: [] }];
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 100 } };
const limit = { 'X-RateLimit-Limit': { description: 'Requests in the window.' } };

export const anApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Qinbox API', version: '0.1.0', description: 'Push a task.' },
  servers: [{ url: 'https://q.example.com' }],
  tags: [
    { name: 'Tasks', description: 'What needs attention today.' },
    { name: 'System', description: 'About the server.' },
  ],
  paths: {
    '/api/v1/health': {
      get: {
        operationId: 'health',
        summary: 'The process answers',
        tags: ['System'],
        responses: { 200: { description: 'Success' } },
      },
    },
    '/api/v1/tasks/{id}': {
      delete: {
        operationId: 'acknowledgeTask',
        summary: 'Acknowledge a task',
        tags: ['Tasks'],
        parameters: [id],
        security: either,
        responses: {
          200: { description: 'Success' },
          404: { description: 'Not found - Task does not exist', ...error },
        },
      },
    },
    '/api/v1/tasks': {
      post: {
        operationId: 'createTask',
        summary: 'Create a task',
        description: 'JSON, or text with `X-Priority`.',
        tags: ['Tasks'],
        security: either,
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['content'],
                properties: {
                  content: { type: 'string', description: 'The message.' },
                  priority: { type: 'string', enum: ['high', 'normal', 'low'] },
                  expiryMinutes: { type: 'integer', minimum: 1, maximum: 10_080 },
                },
              },
            },
          },
        },
        responses: {
          201: {
            description: 'Created successfully',
            headers: limit,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['task'],
                  properties: { task: { $ref: '#/components/schemas/Task' } },
                },
              },
            },
          },
          401: { description: 'Unauthorized - Invalid or missing API key', ...error },
          429: { description: 'Too many requests - Rate limit exceeded', headers: limit, ...error },
        },
      },
    },
  },
  components: {
    schemas: {
      Error: {
        type: 'object',
        required: ['code'],
        properties: {
          code: { type: 'string' },
          details: { type: 'array', items: { type: 'object', properties: { field: { type: 'string' } } } },
        },
      },
      Task: { type: 'object', properties: { createdAt: { type: 'string', format: 'date-time' } } },
    },
  },
  'x-error-codes': [{ code: 'UNAUTHORIZED', status: 401, description: 'Sign in or send a valid API key.' }],
  'x-rate-limit': { perMinute: 100, perHour: 1000 },
};
