// A feed as text: asked for only when it has changed, within limits of time and size.
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 5 * 1024 * 1024;

/** What a server said of its last answer, to ask whether there is a newer one (RFC 9110, 13.1). */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** Null when nothing has changed. Errors name the host alone, since an address may have a token in it. */
export async function download(
  address: string,
  { etag, lastModified }: Validators,
  stopped: AbortSignal,
): Promise<{ text: string; validators: Validators } | null> {
  const { url, authorization } = withoutCredentials(address);
  const response = await fetch(url, {
    signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: {
      accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.1',
      'user-agent': 'qinbox-adapter-rss',
      ...(authorization === null ? {} : { authorization }),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    },
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 304) return null;
    throw new Error(`${url.host} answered ${response.status}`);
  }
  const bytes = await readBody(response, url.host);
  const type = response.headers.get('content-type') ?? '';
  return { text: decode(bytes, type), validators: validatorsOf(response.headers) };
}

/** fetch() refuses a user name and a password in an address. */
function withoutCredentials(address: string): { url: URL; authorization: string | null } {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url, authorization: null };
  const both = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: `Basic ${Buffer.from(both).toString('base64')}` };
}

async function readBody(response: Response, host: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the feed of ${host} is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, contentType: string): string {
  const declared = /^<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1];
  const label = /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function validatorsOf(headers: Headers): Validators {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
}
