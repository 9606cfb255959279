// Only what Slack has signed within five minutes is let in: its own published example, and everything near
// it.
import { expect, it } from 'vitest';
import { isFromSlack, sign, TOLERANCE_SECONDS } from './signature.ts';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const time = 1531420618;
const text =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';

function judge({
  at = time,
  timestamp = String(time),
  given = signature,
  body = text,
  key = secret,
} = {}): boolean {
  const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': given };
  return isFromSlack({ headers, body: Buffer.from(body) }, key, at * 1000);
}

it("Slack's published example is proven", () => {
  expect(sign(secret, String(time), Buffer.from(text))).toBe(signature);
  expect(judge()).toBe(true);
});

it.each([
  ['tampered', { body: text.replace('foobar', 'general') }],
  ['signed with another secret', { key: 'another' }],
  ['stale', { at: time + TOLERANCE_SECONDS + 1 }],
  ['of the future', { at: time - TOLERANCE_SECONDS - 1 }],
  ['without a signature', { given: '' }],
  ['of another version', { given: signature.replace('v0', 'v1') }],
  ['without a time', { timestamp: '' }],
  ['with a time that is none', { timestamp: '1531420618.5' }],
  ['with the time of another', { timestamp: String(time + 1) }],
])('a request that is %s is not', (_what, change) => {
  expect(judge(change)).toBe(false);
});

it('up to five minutes either way is fine', () => {
  expect([judge({ at: time + TOLERANCE_SECONDS }), judge({ at: time - TOLERANCE_SECONDS })]).toEqual([
    true,
    true,
  ]);
});
