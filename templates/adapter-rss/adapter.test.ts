// The contract of every adapter, and what this one makes of feeds, on a real server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { contractTests, type Sender } from 'qinbox/testing';
import adapter from './adapter.ts';
import { readFeed } from './read-feed.ts';

/** A server with one feed, which a test adds entries to. */
async function openSender(owner: string): Promise<Sender> {
  const entries: number[] = [];
  let broken: string | null = null;
  const feed = () =>
    `<rss version="2.0"><channel><title>News</title>${entries
      .toReversed()
      .map((number) => `<item><guid>urn:${number}</guid><title>Entry no. ${number}.</title></item>`)
      .join('')}</channel></rss>`;
  const server = createServer(({ headers }, response) => {
    const etag = `"${entries.length}"`;
    if (broken !== null) response.end(broken);
    else if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.setHeader('etag', etag).end(feed());
    broken = null;
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  const port = await listen(0);
  return {
    env: {
      RSS_FEEDS: `http://127.0.0.1:${port}/feed.xml?token=secret`,
      RSS_OWNER: owner,
      RSS_EVERY_SECONDS: '1',
    },
    async send(number) {
      if (!entries.includes(number)) entries.push(number);
    },
    content: (number) => `Entry no. ${number}.`,
    async sendNonsense() {
      broken = '<rss><channel><item>';
    },
    outage: { begin: close, end: async () => void (await listen(port)) },
    close,
  };
}

for (const { name, run } of contractTests({ adapter, openSender, waits: true })) test(name, run);

const PAGE = 'https://example.com/blog/feed.xml';

test('reads RSS: HTML and entities as text, relative links, entries without a guid', () => {
  const { title, entries } = readFeed(
    `<?xml version="1.0"?><rss version="2.0"><channel><title>A &amp; B</title>
      <item><title>Fish &amp;amp; <![CDATA[<b>chips</b>]]></title><link>/1</link><description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;</description></item>
      <item><guid isPermaLink="false">x</guid><description>Only a text</description></item>
    </channel></rss>`,
    PAGE,
  );
  assert.equal(title, 'A & B');
  assert.deepEqual(entries, [
    { id: 'https://example.com/1', title: 'Fish & chips', link: 'https://example.com/1', text: 'One\n\nTwo' },
    { id: 'x', title: 'Only a text', link: null, text: 'Only a text' },
  ]);
});

test('reads Atom and RSS 1.0', () => {
  const atom = readFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><id>urn:1</id>
      <title type="text">a &lt;b&gt; c</title><link rel="self" href="/self"/><link href="/one"/>
      <summary type="html">x &lt;i&gt;y&lt;/i&gt;</summary></entry></feed>`,
    PAGE,
  );
  assert.deepEqual(atom.entries, [
    { id: 'urn:1', title: 'a <b> c', link: 'https://example.com/one', text: 'x y' },
  ]);
  const rdf = readFeed(
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel><title>R</title></channel>
      <item rdf:about="urn:2"><title>Two</title></item></rdf:RDF>`,
    PAGE,
  );
  assert.deepEqual(rdf, { title: 'R', entries: [{ id: 'urn:2', title: 'Two', link: null, text: '' }] });
});

test('refuses what is no feed, and entities that grow without end', () => {
  assert.throws(() => readFeed('<html></html>', PAGE), /neither RSS nor Atom/);
  assert.throws(() => readFeed('no XML at all', PAGE), /not XML/);
  const grows = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}">]><rss><channel><title>${'&a;'.repeat(5000)}</title></channel></rss>`;
  assert.throws(() => readFeed(grows, PAGE), /limit/i);
});

test('reads a large feed with many entities', () => {
  const item = `<item><title>${'R&amp;D '.repeat(50)}</title></item>`;
  assert.equal(readFeed(`<rss><channel>${item.repeat(1000)}</channel></rss>`, PAGE).entries.length, 500);
});
