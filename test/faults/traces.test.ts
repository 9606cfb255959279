// Traces on the real program: one from the request, over the queue, to the write in another process; and
// nothing at all unless a collector is named.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createKey, startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startStack } from './stack.ts';

const PATIENCE_MS = 300_000;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const SECRET = 'the launch codes';

interface Attribute {
  key: string;
  value: { stringValue?: string };
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}
interface Sent extends Span {
  role: string;
  service: string;
}

/** A collector that understands OTLP as JSON. */
async function startCollector() {
  const spans: Sent[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(`${request.url} ${body}`);
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
      };
      for (const { resource, scopeSpans } of resourceSpans) {
        const of = (name: string) =>
          resource.attributes.find(({ key }) => key === name)?.value.stringValue ?? '';
        for (const each of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...each, role: of('qinbox.role'), service: of('service.name') });
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies };
}

it(
  'a queued task is one trace through two processes, named in their logs, without its content',
  { timeout: 3 * PATIENCE_MS },
  async ({ skip }) => {
    const collector = await startCollector();
    const stack = await startStack({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'inbox of the tests',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'debug',
    });
    if ('missing' in stack) {
      if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(stack.missing);
      return skip(stack.missing);
    }
    onTestFinished(() => stack.stop());
    const answer = await fetch(`${stack.apis[0]?.url}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        'x-api-key': stack.key,
        'content-type': 'application/json',
        prefer: 'respond-async',
        'x-request-id': 'request-of-the-test',
        traceparent: `00-${TRACE}-${CALLER}-01`,
      },
      body: JSON.stringify({ content: SECRET, metadata: { password: SECRET } }),
    });
    expect(answer.status).toBe(202);
    const found = (name: string) =>
      collector.spans.find((span) => span.traceId === TRACE && span.name === name);
    await waitFor(
      'the spans of both processes',
      () =>
        found('POST /api/v1/tasks') !== undefined &&
        found('store tasks.create') !== undefined &&
        found('carry out submission') !== undefined,
      PATIENCE_MS,
    );
    const [http, submit, work, write] = [
      'POST /api/v1/tasks',
      'submit',
      'carry out submission',
      'store tasks.create',
    ].map(found);
    expect(http).toMatchObject({ parentSpanId: CALLER, role: 'api', service: 'inbox of the tests' });
    expect(submit).toMatchObject({ parentSpanId: http?.spanId, role: 'api' });
    expect(work).toMatchObject({ parentSpanId: submit?.spanId, role: 'worker' });
    expect(write).toMatchObject({ parentSpanId: work?.spanId, role: 'worker' });
    expect(collector.bodies.every((body) => body.startsWith('/v1/traces '))).toBe(true);
    const told = collector.bodies.join();
    for (const secret of [SECRET, stack.key, 'load@example.com']) expect(told).not.toContain(secret);
    const logged = stack.workers
      .flatMap((each) => each.output().split('\n'))
      .filter((line) => line.includes('"carried out"'));
    expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ traceId: TRACE, reqId: 'request-of-the-test', role: 'worker' }),
    ]);
  },
);

it(
  'without a collector nothing of OpenTelemetry is loaded, and with one that is away the program goes on',
  { timeout: 3 * PATIENCE_MS },
  async () => {
    const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.includes('@opentelemetry')) process.stderr.write('loaded ' + name + '\\n');
      return next(name, context);
    } });`;
    const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(hook).toString('base64')}`;
    const run = async (env: Record<string, string>) => {
      const folder = temporaryFolder('traces');
      onTestFinished(folder.remove);
      const program = await startProgram({ dataDir: folder.path, env: { NODE_OPTIONS, ...env } });
      onTestFinished(() => program.kill());
      const key = createKey(folder.path);
      const answer = await fetch(`${program.url}/api/v1/tasks`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'x' }),
      });
      expect(answer.status).toBe(201);
      return program;
    };
    expect((await run({})).output()).not.toContain('loaded');
    const traced = await run({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    expect(traced.output()).toContain('loaded @opentelemetry/sdk-trace-base');
    expect(await traced.stop()).toBe(0);
  },
);
