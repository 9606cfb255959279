// What Amazon SNS delivers reads as its message, and a subscription can be confirmed from its task.
import { expect, it } from 'vitest';
import { decode } from '../decode/body.ts';
import { interpret } from '../interpret.ts';
import { presets } from '../presets/index.ts';
import { MASK } from '../redaction/mask.ts';
import { redact } from '../redaction/redact.ts';
import { claimedId } from '../verify/checks.ts';

// https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html
const TOPIC = 'arn:aws:sns:us-west-2:123456789012:MyTopic';
const common = {
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC,
  Timestamp: '2012-05-02T00:54:06.655Z',
  SignatureVersion: '1',
  Signature: 'EXAMPLEw6JRN',
  SigningCertURL: 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb72.pem',
};

function tasksOf(body: object) {
  const decoded = decode(Buffer.from(JSON.stringify(body)), 'text/plain; charset=UTF-8', {});
  if (!decoded.ok) throw new Error(decoded.reason);
  return interpret({ preset: 'generic', mapping: null }, redact(decoded.body), presets).tasks;
}

const notification = (Subject: string | null, Message: string) =>
  tasksOf({
    ...common,
    Type: 'Notification',
    Subject,
    Message,
    UnsubscribeURL: `https://sns.us-west-2.amazonaws.com/?Action=Unsubscribe&SubscriptionArn=${TOPIC}:c9135db0`,
  })[0];

it('leads to the address that confirms a subscription, whole, and hides its token elsewhere', () => {
  const token = '2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92';
  const confirm = `https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${token}`;
  const [task] = tasksOf({
    ...common,
    Type: 'SubscriptionConfirmation',
    Token: token,
    Message: `You have chosen to subscribe to the topic ${TOPIC}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    SubscribeURL: confirm,
  });
  expect(task?.url).toBe(confirm);
  expect(task?.content).toBe('Confirm that the topic MyTopic of Amazon SNS may send here');
  expect(task?.metadata?.['payload']).toMatchObject({ Token: MASK });
  expect(JSON.stringify(task?.metadata)).not.toContain(token);
});

it('reads as its message, and does not lead to the certificate of its signature', () => {
  expect(notification('My First Message', 'Hello world!')).toMatchObject({
    content: 'My First Message: Hello world!',
  });
  expect(notification(null, 'The nightly job failed')?.content).toBe('The nightly job failed');
  expect(notification('My First Message', 'Hello world!')?.url).toBeUndefined();
});

it('reads the JSON in a message', () => {
  const alarm = { title: 'Disk full', host: 'nas-2', severity: 'critical', url: 'https://example.com/disk' };
  expect(notification(null, JSON.stringify(alarm))).toMatchObject({
    content: 'Disk full: nas-2, critical',
    priority: 'high',
    url: 'https://example.com/disk',
  });
});

it('knows a message that is delivered again by its id', () => {
  expect(claimedId({ 'x-amz-sns-message-id': common.MessageId })).toBe(`id:${common.MessageId}`);
});
