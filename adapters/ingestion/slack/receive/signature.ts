// Verifies that a request comes from Slack: HMAC-SHA256 over the time and the bytes as they came, at most
// five minutes old or ahead. https://docs.slack.dev/authentication/verifying-requests-from-slack
import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far a request's time may be from ours, both ways. */
export const TOLERANCE_SECONDS = 5 * 60;
const VERSION = 'v0';

/** The value of `X-Slack-Signature` for these bytes. `timestamp` in seconds, as the header carries it. */
export function sign(secret: string, timestamp: string, body: Buffer): string {
  const hmac = createHmac('sha256', secret).update(`${VERSION}:${timestamp}:`).update(body);
  return `${VERSION}=${hmac.digest('hex')}`;
}

/** `now` in milliseconds. Does not say what is wrong, because the sender may not be Slack. */
export function isFromSlack(
  request: { headers: Readonly<Record<string, string>>; body: Buffer },
  secret: string,
  now: number,
): boolean {
  const timestamp = request.headers['x-slack-request-timestamp'] ?? '';
  const given = Buffer.from(request.headers['x-slack-signature'] ?? '');
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const wanted = Buffer.from(sign(secret, timestamp, request.body));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
