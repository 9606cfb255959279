// Amazon SNS carries its message, often JSON as text (an alarm of CloudWatch), among fields for programs.
// https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html
import { filled } from '#core/domain/filled.ts';
import { looksLikeJson, readJson } from '../decode/json.ts';
import { isObject } from '../presets/read.ts';

/** What a message of Amazon SNS says, and the address that confirms a subscription; others as they are. */
export function withoutEnvelope(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { TopicArn: topic, Subject, Message: said, SubscribeURL } = value;
  if (typeof topic !== 'string' || typeof said !== 'string') return value;
  const read = looksLikeJson(said) ? readJson(said) : null;
  return { ...filled({ Subject, SubscribeURL }), Message: read?.ok === true ? read.value : said };
}
