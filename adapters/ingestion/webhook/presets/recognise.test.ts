// An intake without a preset knows a sender by what only that sends.
import { expect, it } from 'vitest';
import { presets } from './index.ts';
import { recognise } from './recognise.ts';

it.each(['application/cloudevents-batch+json', 'application/cloudevents+json'])(
  'knows events of %s',
  (contentType) => {
    const event = { specversion: '1.0', id: '1', source: '/nas', type: 'com.example.disk.full' };
    const value = contentType.includes('batch') ? [event, { ...event, id: '2' }] : event;
    const preset = recognise({ value, text: JSON.stringify(value), contentType, headers: {} }, presets);
    expect(preset?.id).toBe('cloudevents');
  },
);

it('knows alerts of Azure Monitor by their schema', () => {
  const value = { schemaId: 'azureMonitorCommonAlertSchema', data: { essentials: { alertRule: 'CPU' } } };
  const payload = { value, text: JSON.stringify(value), contentType: 'application/json', headers: {} };
  expect(recognise(payload, presets)?.id).toBe('azure-monitor');
});

it('knows Gogs by its header', () => {
  const payload = {
    value: {},
    text: '{}',
    contentType: 'application/json',
    headers: { 'x-gogs-event': 'push' },
  };
  expect(recognise(payload, presets)?.id).toBe('github');
});
