// The reference servers: `node bench/ref/server.ts <kind> <port> <folder> [rows]`.
//   echo   raw node:http that reads the body and answers one of the same size
//   bare   Fastify with the contract's own schema for POST /tasks, nothing stored
//   each   bare, and one synced INSERT for each request
//   group  bare, and synced INSERTs that share a transaction; GET /tasks answers a SELECT of 50 rows, stringified
import { createServer } from 'node:http';
import Fastify from 'fastify';
import { taskRoutes, type CreateTask, type Task } from '#core/contract/index.ts';
import { SHARED_SCHEMAS } from '#api/plugins/openapi.ts';
import { createIdSource } from '#core/domain/ids.ts';
import { openTable, type Row } from './table.ts';

const [kind = 'bare', port = '0', folder = '.', rows = '0'] = process.argv.slice(2);
const nextId = createIdSource();
const DAY_MS = 24 * 60 * 60_000;

if (kind === 'echo') echo();
else await fastify();

function echo(): void {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const from = JSON.parse(Buffer.concat(chunks).toString()) as CreateTask;
      const answer = JSON.stringify({ success: true, task: view(rowOf(from), from) });
      response.writeHead(201, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(answer),
      });
      response.end(answer);
    });
  });
  server.listen(Number(port), '127.0.0.1');
}

async function fastify(): Promise<void> {
  // The contract's own keyword, which Fastify's validator does not know.
  const app = Fastify({ ajv: { customOptions: { keywords: ['x-refusal'] } } });
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  const table = kind === 'bare' ? null : openTable(folder);
  const { body } = taskRoutes.create.schema;
  const response = { 201: taskRoutes.get.schema.response[200] };
  app.post<{ Body: CreateTask }>('/tasks', { schema: { body, response } }, async (request, reply) => {
    const row = rowOf(request.body);
    if (kind === 'each') table?.insert(row);
    if (kind === 'group') await table?.insertGrouped(row);
    return reply.code(201).send({ success: true, task: view(row, request.body) });
  });
  app.get('/tasks', (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ success: true, tasks: table?.newest() })),
  );
  table?.fill(
    Array.from({ length: Number(rows) }, () =>
      rowOf({ content: `Nightly backup of db-3 failed: ${nextId('task_', Date.now())}` }),
    ),
  );
  await app.listen({ port: Number(port), host: '127.0.0.1' });
}

function rowOf(from: CreateTask): Row {
  const now = Date.now();
  return {
    id: nextId('task_', now),
    owner: 'user_reference',
    content: from.content,
    priority: from.priority ?? 'normal',
    source: from.source ?? 'api',
    tags: JSON.stringify(from.tags ?? []),
    metadata: JSON.stringify(from.metadata ?? {}),
    createdAt: now,
    updatedAt: now,
    expiresAt: now + DAY_MS,
  };
}

function view(row: Row, from: CreateTask): Task {
  return {
    id: row.id,
    content: row.content,
    priority: row.priority as Task['priority'],
    source: row.source,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    expiresAt: new Date(row.expiresAt).toISOString(),
    snoozedUntil: null,
    pinned: false,
    metadata: from.metadata ?? {},
    tags: from.tags ?? [],
    version: 1,
    occurrences: 1,
    lastOccurredAt: new Date(row.createdAt).toISOString(),
  };
}
