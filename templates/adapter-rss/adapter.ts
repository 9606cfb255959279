// New entries of RSS and Atom feeds, as tasks of one owner.
import { defineAdapter, startPolling, Type } from 'qinbox/adapter';
import { pollFeed } from './poll-feed.ts';

interface RssConfig {
  feeds: string[] | null;
  owner: string | null;
  everySeconds: number;
}

export default defineAdapter<RssConfig>({
  id: 'rss',
  portVersion: '1.0',
  title: 'RSS',
  source: 'rss',
  configSchema: Type.Object({
    feeds: Type.Array(Type.String({ pattern: '^https?://' }), {
      description: 'must be addresses of feeds, separated by commas: https://example.com/feed.xml',
    }),
    owner: Type.String({
      pattern: '@',
      description: 'must be the e-mail address of the owner of the tasks',
    }),
    everySeconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      default: 900,
      description: 'must be a whole number of seconds from 1 to 86400',
    }),
  }),
  environment: { feeds: 'RSS_FEEDS', owner: 'RSS_OWNER', everySeconds: 'RSS_EVERY_SECONDS' },
  // An address may have a token in it, so that it gets into no log.
  secretFields: ['feeds'],
  isOn: ({ feeds, owner }) => feeds !== null && owner !== null,

  start({ config, ...context }) {
    const { feeds, owner, everySeconds } = config;
    const polls = (feeds ?? []).map((address) =>
      startPolling({
        everyMs: everySeconds * 1000,
        log: context.log,
        poll: (signal) => pollFeed(address, owner ?? '', context, signal),
      }),
    );
    const states = () => polls.flatMap((poll) => poll.state?.() ?? []);
    return {
      state: () => ({
        ok: states().every(({ ok }) => ok),
        detail: states()
          .map(({ detail }) => detail)
          .join('; '),
      }),
      async stop() {
        await Promise.all(polls.map((poll) => poll.stop()));
      },
    };
  },
});
