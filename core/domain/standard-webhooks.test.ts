// Signatures of Standard Webhooks, on the published vectors.
import { describe, expect, it } from 'vitest';
import { createWebhookSecret, signedHeaders } from './standard-webhooks.ts';

describe('the signature of a webhook', () => {
  it('is the one of the published vectors', () => {
    const first = signedHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', now: 1_614_265_330_999 },
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(first).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
    const second = signedHeaders(
      {
        id: 'msg_loFOjxBNrRLzqYUf',
        body: '{"event_type":"ping","data":{"success":true}}',
        now: 1_731_705_121_000,
      },
      ['whsec_plJ3nmyCDGBKInavdOK15jsl'],
    );
    expect(second['webhook-signature']).toBe('v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=');
  });

  it('has one by each secret while they change', () => {
    const message = { id: 'evt_1', body: '{}', now: 0 };
    const secrets = [createWebhookSecret(), createWebhookSecret()];
    const [first, second] = secrets.map((one) => signedHeaders(message, [one])['webhook-signature']);
    expect(first).not.toBe(second);
    expect(signedHeaders(message, secrets)['webhook-signature']).toBe(`${first} ${second}`);
  });

  it('is by a key of 32 bytes that nobody else has', () => {
    const secret = createWebhookSecret();
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(createWebhookSecret()).not.toBe(secret);
  });
});
