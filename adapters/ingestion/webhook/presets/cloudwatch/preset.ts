// Alarms of Amazon CloudWatch, which come through a topic of Amazon SNS: an alarm is one task until it is OK.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-notification-examples.html (the form)
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Preset } from '../preset.ts';
import { isObject, jsonIn, line, link, raw } from '../read.ts';
import { key, over, says, USUAL } from '../result.ts';
import { around } from '../text.ts';
import sample from './sample.json' with { type: 'json' };

/** Nothing comes until its address is opened. */
function subscription(body: unknown): ParsedDelivery {
  const topic = raw(body, 'TopicArn');
  return says('subscription', {
    content: `Confirm that the topic ${line(body, 'TopicArn', 200).replace(/^.*:/, '')} of Amazon SNS may send here`,
    priority: 'high',
    tags: ['cloudwatch'],
    url: link(body, 'SubscribeURL'),
    dedupeKey: key('cloudwatch', 'subscription', topic),
    metadata: { topic },
  });
}

function alarm(body: unknown): ParsedDelivery {
  const name = line(body, 'AlarmName', 200);
  const state = raw(body, 'NewStateValue');
  const arn = raw(body, 'AlarmArn');
  const ours = key('cloudwatch', arn || `${raw(body, 'Region')}:${name}`);
  const event = `alarm.${line(body, 'NewStateValue', 40) || 'unknown'}`;
  if (state === 'OK') return over(event, ours);
  const reason = line(body, 'NewStateReason', 400).replace(/ \(minimum [^()]{1,80} transition\)\.?$/, '');
  const tells = state === 'ALARM' ? '' : ' has too little data';
  return says(event, {
    content: `${name}${tells}${around(': ', reason)}`,
    priority: state === 'ALARM' ? 'high' : USUAL,
    tags: ['cloudwatch'],
    url: pageOf(arn, raw(body, 'AlarmName')),
    dedupeKey: ours,
    metadata: {
      alarm: name,
      description: line(body, 'AlarmDescription', 1000),
      account: line(body, 'AWSAccountId', 40),
      region: line(body, 'Region', 60),
      metric: line(body, ['Trigger.MetricName', 'Trigger.Metrics.0.MetricStat.Metric.MetricName'], 120),
      namespace: line(body, ['Trigger.Namespace', 'Trigger.Metrics.0.MetricStat.Metric.Namespace'], 120),
      since: line(body, 'StateChangeTime', 40),
    },
  });
}

/** The alarm in the console; where that is of other partitions than `aws` (China, GovCloud) is not known. */
function pageOf(arn: string, name: string): string {
  const region = /^arn:aws:cloudwatch:([a-z0-9-]{1,40}):/.exec(arn)?.[1];
  if (region === undefined || !name.isWellFormed()) return '';
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name)}`;
}

export const cloudwatch: Preset = {
  id: 'cloudwatch',
  title: 'Amazon CloudWatch',
  description: 'A task for each alarm, through Amazon SNS; it is acknowledged when the alarm is OK again.',
  scheme: 'none',
  setup:
    'Create a subscription of the SNS topic with the protocol HTTPS and the address as endpoint; leave “raw message delivery” off. Open the ' +
    'link of the task that comes, which confirms it. Add the topic to the alarm for the states “In alarm” and “OK”.',
  events: ['alarm.ALARM', 'alarm.OK', 'alarm.INSUFFICIENT_DATA', 'subscription'],
  read({ value }) {
    if (!isObject(value)) return null;
    if (raw(value, 'Type') === 'SubscriptionConfirmation' && link(value, 'SubscribeURL') !== '')
      return subscription(value);
    // With raw message delivery it is the body itself.
    const body = jsonIn(value, 'Message') ?? value;
    return isObject(body) && line(body, 'AlarmName') !== '' && raw(body, 'NewStateValue') !== ''
      ? alarm(body)
      : null;
  },
  sample,
};
