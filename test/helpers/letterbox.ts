// The smallest adapter with intakes: what is posted to /letters/:token is the content of a task. For tests of
// what the program does around every adapter; loaded as an adapter of one's own.
import { Type } from 'typebox';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import { defineAdapter } from '#core/ports/adapter/adapter.ts';
import type { IntakeConfig } from '#core/ports/adapter/intake.ts';
import type { StoredRequest } from '#core/domain/intake.ts';

const stored = (body: string): StoredRequest => ({
  headers: {},
  contentType: 'text/plain',
  body,
  encoding: 'text',
  clipped: false,
});

// Lines say what to do: "over KEY" closes, "event NAME" names the event, "fail" cannot be read, anything else
// is a task "KEY: text".
function read({ mapping }: IntakeConfig, { body }: StoredRequest): ParsedDelivery {
  const lines = body.split('\n').filter((line) => line !== '');
  const rest = (word: string) =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  const event = rest('event')[0];
  const tasks = lines
    .filter((line) => !/^(?:over|event) /.test(line) && line !== 'nothing')
    .map((line) => {
      const key = /^(\w+): /.exec(line)?.[1];
      const content = mapping === null ? line : mapping.content.replace('{{ line }}', line);
      return { content, ...(key === undefined ? {} : { dedupeKey: key }) };
    });
  return {
    tasks,
    resolves: rest('over'),
    ...(event === undefined ? {} : { event }),
    ...(lines.includes('nothing') ? { ignored: 'There was nothing in the letter.' } : {}),
    ...(body.includes('fail') && mapping === null ? { failed: 'The letter cannot be read.' } : {}),
  };
}

export default defineAdapter({
  id: 'letterbox',
  portVersion: '1.0',
  title: 'Letterbox',
  roles: ['api'],
  source: 'letter',
  configSchema: Type.Object({}),
  environment: {},
  secretFields: [],
  intakes: {
    addressKind: 'url',
    address: (token, { publicUrl }) => `${publicUrl}/letters/${token}`,
    schemes: [
      { id: 'none', title: 'Unproven', description: 'Anybody with the address.', fields: Type.Object({}) },
      {
        id: 'word',
        title: 'Password',
        description: 'A word in a header.',
        fields: Type.Object({
          secret: Type.Unsafe<string>({ type: 'string', minLength: 4, title: 'Word', secret: true }),
          header: Type.String({ title: 'Header', default: 'x-word' }),
        }),
      },
    ],
    presets: [
      {
        id: 'plain',
        title: 'Plain',
        description: 'As it is.',
        scheme: 'none',
        setup: 'Post it.',
        events: [],
      },
      {
        id: 'safe',
        title: 'Safe',
        description: 'With a word.',
        scheme: 'word',
        options: { header: 'x-safe' },
        setup: 'Say it.',
        events: ['a'],
      },
    ],
    settings: Type.Object({ colour: Type.Optional(Type.String({ title: 'Colour' })) }),
    takesMapping: true,
    check: ({ mapping }) =>
      mapping?.content.includes('{%') === true ? [{ field: 'mapping/content', message: 'no tags here' }] : [],
    read,
    sample: () => stored('Sample: a letter'),
  },
  start({ http, intakeService }) {
    http.on(
      { methods: ['POST'], path: '/letters/:token', bodyLimit: 1000 },
      async ({ params, body, headers, address, requestId }) => {
        const intake = await intakeService.find(params['token'] ?? '');
        if (intake === null) return { status: 404 };
        intakeService.checkPaused(intake);
        const { secret } = intake.secrets;
        if (secret !== undefined && headers[String(intake.verification.options['header'])] !== secret) {
          intakeService.refuse(intake, 'The word was wrong.', { unprovenFrom: address });
          return { status: 401 };
        }
        await intakeService.authorize(intake, requestId);
        const request = stored(body.toString());
        const parsed = read(intake, request);
        const replayKey = headers['x-letter-id'] ?? null;
        return {
          status: 202,
          body: await intakeService.ingest({ intake, parsed, replayKey, request, requestId }),
        };
      },
    );
    return { stop: () => Promise.resolve() };
  },
});
