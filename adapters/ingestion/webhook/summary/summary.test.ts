// Senders that have no preset: what happened is in the first line, how bad it is and the page of the thing
// are found. The payloads are those of their documentation, shortened.
import { expect, it } from 'vitest';
import { decode } from '../decode/body.ts';
import { summarise } from './summary.ts';

function readingOf(body: object | string, type = 'application/json') {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const decoded = decode(bytes, type, {});
  if (!decoded.ok) throw new Error(decoded.reason);
  return summarise(decoded.body);
}
const taskOf = (body: object | string, type?: string) => readingOf(body, type).tasks[0];

it('reads an alarm of CloudWatch, with why it went off', () => {
  const why =
    'Threshold Crossed: 1 out of the last 1 datapoints [99.5 (02/10/19 16:59:00)] was greater than the threshold (50.0).';
  const alarm = {
    AlarmName: 'high-cpu',
    AlarmDescription: null,
    NewStateValue: 'ALARM',
    NewStateReason: why,
    Region: 'US East (N. Virginia)',
    OldStateValue: 'OK',
  };
  expect(taskOf(alarm)).toEqual({
    content: `high-cpu: US East (N. Virginia), new state value ALARM, old state value OK\n\n${why}`,
    priority: 'high',
  });
  expect(taskOf({ ...alarm, NewStateValue: 'OK' })?.priority).toBe('low');
});

it('reads the rule of an alert of Azure Monitor', () => {
  const essentials = { alertRule: 'Disk full', severity: 'Sev0', monitorCondition: 'Fired', description: '' };
  expect(taskOf({ schemaId: 'azureMonitorCommonAlertSchema', data: { essentials } })).toEqual({
    content: 'Disk full: Sev0, monitor condition Fired',
    priority: 'high',
  });
});

it.each([
  [
    'Falco',
    { output: 'File opened for writing (file=/bin/hack)', priority: 'Error', rule: 'Write below binary dir' },
    'File opened for writing (file=/bin/hack): Error, rule Write below binary dir',
    'high',
  ],
  [
    'Zabbix',
    { alert_subject: 'Problem: High CPU', alert_message: 'Host: web\nSince: 12:00', event_severity: 'High' },
    'Problem: High CPU (event severity High)\n\nHost: web\nSince: 12:00',
    'high',
  ],
  [
    'Grafana OnCall',
    {
      event: { type: 'escalation' },
      alert_group: { title: 'InstanceDown', state: 'firing', alerts_count: 1 },
    },
    'InstanceDown: firing, type escalation, alerts count 1',
    'high',
  ],
  [
    'Jira',
    { issue: { key: 'JRA-1', fields: { summary: 'It is slow', priority: { name: 'Highest' } } } },
    'It is slow: Highest, key JRA-1',
    'high',
  ],
])('reads what %s says', (_sender, body, content, priority) => {
  expect(taskOf(body)).toEqual({ content, priority });
});

it('reads the monitor of UptimeRobot', () => {
  const form = 'monitorID=95&monitorFriendlyName=My+site&alertDetails=HTTP+500&alertTypeFriendlyName=Down';
  const task = taskOf(form, 'application/x-www-form-urlencoded');
  expect(task?.content).toMatch(/^My site: .*Down/);
  expect(task?.priority).toBe('high');
});

it.each([
  [{ status: 'SUCCESS', qualityGate: { name: 'Sonar way', status: 'ERROR' } }, 'high'],
  [{ status: 'SUCCESS', qualityGate: { name: 'Sonar way', status: 'OK' } }, 'low'],
  [{ check_name: 'Homepage', current_state: 'DOWN', previous_state: 'UP' }, 'high'],
  [{ check_name: 'Homepage', current_state: 'UP', previous_state: 'DOWN' }, 'low'],
])('goes by what SonarQube and Pingdom say of now: %j is %s', (payload, priority) => {
  expect(taskOf(payload)?.priority).toBe(priority);
});

it('leads to the page of what Bitbucket tells of, neither to its API nor to who did it', () => {
  const links = (path: string) => ({
    self: { href: `https://api.bitbucket.org/2.0/${path}` },
    html: { href: `https://bitbucket.org/${path}` },
    avatar: { href: `https://bitbucket.org/account/${path}/avatar` },
  });
  const actor = { display_name: 'Ada', links: links('ada') };
  const repository = { full_name: 'acme/app', links: links('acme/app') };
  const pullrequest = { title: 'Fix it', state: 'OPEN', links: links('acme/app/pull-requests/1') };
  expect(taskOf({ actor, pullrequest, repository })?.url).toBe(
    'https://bitbucket.org/acme/app/pull-requests/1',
  );
  expect(taskOf({ actor, repository, push: { changes: [] } })?.url).toBe('https://bitbucket.org/acme/app');
});

it('reads the card that Trello tells of, not its board', () => {
  const board = { shortLink: 'iqXXzYEj', name: 'Welcome Board', id: '53582e2da0fac5676a714277' };
  const model = { name: board.name, desc: '', url: 'https://trello.com/b/iqXXzYEj/welcome-board' };
  const memberCreator = { fullName: 'Ada', username: 'ada' };
  const card = { shortLink: 'xPKXoSTQ', idShort: 3, name: 'Pay the invoice', id: '53582e2da0fac5676a714280' };
  const of = (type: string, data: object) =>
    taskOf({ model, action: { type, data: { board, card, ...data }, memberCreator } });
  expect(of('commentCard', { list: { name: 'Basics' }, text: 'By Friday' })).toEqual({
    content: 'Pay the invoice: Welcome Board, Ada, comment card, list Basics, text By Friday',
    url: 'https://trello.com/c/xPKXoSTQ',
  });
  expect(of('updateCard', { listBefore: { name: 'To do' }, listAfter: { name: 'Done' } })?.content).toBe(
    'Pay the invoice: Welcome Board, Ada, update card, list To do → Done',
  );
  expect(of('updateCard', { card: { ...card, closed: true } })?.content).toBe(
    'Pay the invoice: Welcome Board, Ada, update card, archived yes',
  );
  expect(of('createList', { card: undefined, list: { name: 'New list' } })).toMatchObject({
    content: expect.stringContaining('Welcome Board'),
    url: model.url,
  });
});

it('leads to the pull request at Bitbucket Server, which calls its page self', () => {
  const site = 'https://bitbucket.acme.example/git';
  const links = (path: string) => ({ links: { self: [{ href: `${site}${path}` }] } });
  const repository = { slug: 'app', name: 'app', ...links('/projects/ACME/repos/app/browse') };
  const pullRequest = {
    title: 'Fix it',
    state: 'OPEN',
    fromRef: { displayId: 'fix', repository },
    author: { user: { name: 'ada', ...links('/users/ada') } },
    ...links('/projects/ACME/repos/app/pull-requests/7'),
  };
  const actor = { name: 'ada', displayName: 'Ada', ...links('/users/ada') };
  expect(taskOf({ eventKey: 'pr:opened', actor, pullRequest })).toMatchObject({
    content: expect.stringMatching(/^Fix it: /),
    url: `${site}/projects/ACME/repos/app/pull-requests/7`,
  });
  expect(taskOf({ eventKey: 'repo:refs_changed', actor, repository })?.url).toBe(
    `${site}/projects/ACME/repos/app/browse`,
  );
  expect(taskOf({ eventKey: 'x', actor })?.url).toBeUndefined();
});

it('leads to the page of what Azure DevOps, Vercel and SonarQube tell of', () => {
  const build = {
    eventType: 'build.complete',
    message: { text: 'Build 7 failed', html: 'Build <a href="https://dev.azure.com/b/7">7</a> failed' },
    resource: {
      status: 'failed',
      url: 'https://dev.azure.com/acme/_apis/build/Builds/7',
      _links: { web: { href: 'https://dev.azure.com/acme/_build/results?buildId=7' } },
    },
  };
  expect(taskOf(build)).toEqual({
    content: 'Build 7 failed: failed, event type build.complete',
    priority: 'high',
    url: 'https://dev.azure.com/acme/_build/results?buildId=7',
  });
  const links = { deployment: 'https://vercel.com/acme/app/x', project: 'https://vercel.com/acme/app' };
  expect(taskOf({ type: 'deployment.error', payload: { links, name: 'app' } })).toMatchObject({
    content: 'Deployment error: app',
    priority: 'high',
    url: 'https://vercel.com/acme/app/x',
  });
  const project = { name: 'App', url: 'https://sonar.example.com/dashboard?id=app' };
  expect(taskOf({ serverUrl: 'https://sonar.example.com', project })?.url).toBe(project.url);
});

it.each([
  [
    'Radarr',
    { movie: { title: 'Dune', year: 2021 }, eventType: 'Download', instanceName: 'Radarr' },
    /^Download: Dune, /,
  ],
  [
    'Todoist',
    {
      event_name: 'item:added',
      event_data: { content: 'Buy milk', description: '', priority: 4, checked: false },
      initiator: { full_name: 'Ada' },
      version: '10',
    },
    /^Item added: Buy milk, /,
  ],
  [
    'Zoom',
    { event: 'meeting.started', payload: { object: { duration: 60, topic: 'Stand-up', type: 2 } } },
    /^Meeting started: Stand-up, /,
  ],
  [
    'CircleCI',
    { type: 'workflow-completed', webhook: { name: 'Hook' }, workflow: { name: 'deploy', status: 'failed' } },
    /^Workflow completed: deploy, failed/,
  ],
  [
    'Better Stack',
    { data: { type: 'incident', attributes: { name: 'Homepage', cause: '500' } } },
    /^Incident: Homepage, /,
  ],
])('says what the event of %s happened to', (_sender, body, content) => {
  expect(taskOf(body)?.content).toMatch(content);
});

it('takes no number for a title', () => {
  expect(taskOf({ check_name: 'Homepage', current_state: 'DOWN', description: '503' })?.content).toMatch(
    /^Homepage: /,
  );
});

it.each([
  [{ title: 'CPU', state: 'CLOSED', priority: 'CRITICAL' }, 'low'],
  [{ incident: { name: 'Down', impact: 'critical', status: 'resolved' } }, 'low'],
  [{ incident: { name: 'Down', impact: 'critical', status: 'investigating' } }, 'high'],
  [{ type: 'SCANNING_FAILED', repository: { name: 'debian' } }, 'high'],
  [{ monitor_name: 'Blog', monitor_status: 'offline' }, 'high'],
  [{ type: 'Issue', data: { title: 'Login fails', priority: 1, priorityLabel: 'Urgent' } }, 'high'],
  [{ title: 'CPU is high', alert_type: 'error', alert_transition: 'Triggered' }, 'high'],
  [{ title: 'CPU is high', priority: 'normal', alert_type: 'error' }, 'high'],
  [{ title: 'CPU is high', priority: 'P4', alert_type: 'error' }, 'low'],
  [{ text: 'Back to normal', alert_type: 'http_alert_origin_error' }, undefined],
  [{ title: 'Deploy', service: { name: 'x', status: 'closed' }, severity: 'critical' }, 'high'],
])(
  'goes by what is over, by what an event is called, and by the words of more senders: %j is %s',
  (body, priority) => {
    expect(taskOf(body)?.priority).toBe(priority);
  },
);

it('leads to the error at Bugsnag and the issue at Jira, and nowhere where a click would do something', () => {
  const error = { message: 'undefined method', url: 'https://app.bugsnag.com/acme/app/errors/55' };
  const account = { name: 'Acme', url: 'https://app.bugsnag.com/accounts/acme' };
  expect(taskOf({ account, trigger: { message: 'New error' }, error })).toMatchObject({
    content: expect.stringMatching(/^undefined method: /),
    url: error.url,
  });
  const issue = {
    self: 'https://acme.atlassian.net/rest/api/2/issue/9',
    key: 'JRA-2',
    fields: { summary: 'Slow' },
  };
  expect(taskOf({ issue })?.url).toBe('https://acme.atlassian.net/browse/JRA-2');
  const payload = {
    cancel_url: 'https://calendly.com/cancellations/A',
    reschedule_url: 'https://calendly.com/r/A',
  };
  expect(taskOf({ event: 'invitee.created', payload })?.url).toBeUndefined();
});

it.each([{ title: 'CPU is high' }, {}])('leaves the marks of Markdown at Datadog out: %j', (title) => {
  const body =
    '%%%\nCPU is high\n\non **web-1** for more than five minutes, which is longer than usual here\n\n%%%';
  expect(taskOf({ ...title, body })?.content).toMatch(/^CPU is high\n\n(?!%)[^%]+here$/);
});

it('names the workflow of n8n that failed', () => {
  const execution = { url: 'https://n8n.example.com/execution/231', error: { message: 'No answer' } };
  const failed = { execution, workflow: { id: '1', name: 'Nightly import' } };
  expect(taskOf(failed)).toEqual({ content: 'No answer: Nightly import', url: execution.url });
});

it('leads to the page of an incident at Statuspage', () => {
  const incident = { name: 'Slow', status: 'investigating', shortlink: 'https://stspg.io/646947c1e' };
  expect(taskOf({ meta: { unsubscribe: 'https://acme.statuspage.io/?u=1' }, incident })?.url).toBe(
    incident.shortlink,
  );
});

it('leads nowhere rather than to an API', () => {
  const uri = 'https://api.calendly.com/scheduled_events/A/invitees/B';
  expect(taskOf({ event: 'invitee.created', payload: { name: 'Ada', uri } })?.url).toBeUndefined();
  const resource = {
    status: 'active',
    url: 'https://dev.azure.com/acme/_apis/git/repositories/4/pullRequests/1',
  };
  expect(taskOf({ message: { text: 'Ada created pull request 1' }, resource })?.url).toBeUndefined();
});

it('leads to an address with an @ in its path, and says which image is new', () => {
  const results_link = 'http://splunk:8000/app/search/@go?sid=scheduler__admin';
  expect(taskOf({ search_name: 'Failed logins', results_link, result: { host: 'web-1' } })).toMatchObject({
    content: expect.stringMatching(/^Failed logins: .*web-1/),
    url: results_link,
  });
  expect(taskOf({ title: 'x', url: 'https://ada:secret@example.com/' })?.url).toBeUndefined();
  const diun = { hostname: 'nas', status: 'new', image: 'docker.io/library/nginx:latest' };
  expect(taskOf(diun)?.content).toBe('New: nas, image docker.io/library/nginx:latest');
});

it.each([
  [{ status: 'resolved' }],
  [{ alert: { state: 'Closed' } }],
  [{ resolved: true }],
  [{ resolved: 'true' }],
])('closes the task with the key of the sender where it says that it is over: %j', (over) => {
  const body = { title: 'Disk full', dedupeKey: 'disk-nas' };
  expect(readingOf({ ...body, ...over })).toEqual({ tasks: [], resolves: ['disk-nas'] });
  expect(readingOf({ title: 'Disk full', ...over }).tasks).toHaveLength(1);
  expect(readingOf([{ ...body, ...over }, body]).tasks).toHaveLength(1);
  expect(readingOf({ ...body, resolved: false, status: 'open' }).tasks).toHaveLength(1);
});
