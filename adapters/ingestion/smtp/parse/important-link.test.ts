// The link that only the HTML of a mail has: kept where there is one that the mail is about.
import { expect, it } from 'vitest';
import { readMail } from './read-mail.ts';

async function urlOf(plain: string, html: string, headers = '') {
  const part = (type: string, text: string) =>
    `--b\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${text}\r\n`;
  const raw = `From: nas@example.com\r\nSubject: x\r\nMessage-ID: <1@example.com>\r\n${headers}MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${part('text/plain', plain)}${part('text/html', html)}--b--\r\n`;
  const read = await readMail(Buffer.from(raw));
  return read.kind === 'mail' ? read.mail.url : read.reason;
}

const link = (url: string, label: string, more = '') => `<a href="${url}"${more}>${label}</a>`;
const CONFIRM = 'https://app.example.com/confirm?t=1';
const LOGO = link('https://app.example.com/', '<img src="logo.png" alt="App">');
const FOOTER =
  link('https://app.example.com/unsubscribe?u=1', 'Unsubscribe') +
  link('https://app.example.com/legal/privacy', 'Privacy') +
  link('https://x.com/app', 'X') +
  link('https://app.example.com/c/1', 'Notification settings');
const WORDS = 'Click the button in the HTML version of this mail.';

it('is the only one, whatever stands in header and footer', async () => {
  expect(await urlOf(WORDS, link(CONFIRM, 'Confirm'))).toBe(CONFIRM);
  expect(await urlOf(WORDS, `${LOGO}<p>${link(CONFIRM, 'Confirm')}</p>${FOOTER}`)).toBe(CONFIRM);
  expect(await urlOf(WORDS, link('https://nas.example.com/', 'Open the console'))).toBe(
    'https://nas.example.com/',
  );
});

it('is the one button among several', async () => {
  const several =
    link('https://app.example.com/users/ada', 'Ada') + link('https://app.example.com/r/7', '#7');
  for (const style of [
    ' class="btn btn-primary"',
    ' style="padding: 8px; background-color:#07c"',
    ' role=button',
  ])
    expect(await urlOf(WORDS, several + link(CONFIRM, 'Confirm', style))).toBe(CONFIRM);
  expect(await urlOf(WORDS, several + link(CONFIRM, 'Your order'))).toBeNull();
});

it('is the one that views what others silence or close', async () => {
  const view = link('https://grafana.example.com/alerting/list', 'View alert', ' style="background:#3274d9"');
  const silence = link('https://grafana.example.com/silence/new', 'Silence', ' style="background:#eee"');
  expect(await urlOf('1 firing alert. View the alert in Grafana.', view + silence)).toBe(
    'https://grafana.example.com/alerting/list',
  );
});

it('is none of a newsletter, also where one of its links is a button', async () => {
  const articles = [1, 2, 3].map((at) => link(`https://news.example.com/${at}`, `Article ${at}`)).join('');
  const button = link('https://news.example.com/sale', 'Shop now', ' class=button');
  const list = 'List-Unsubscribe: <https://news.example.com/u>\r\n';
  expect(await urlOf('Three articles', articles)).toBeNull();
  expect(await urlOf('Three articles', articles + button, list)).toBeNull();
});

it('is none of a signature, and none where the text has an address of its own', async () => {
  expect(await urlOf('Lunch at noon?', link('https://www.example.com', 'www.example.com'))).toBeNull();
  expect(await urlOf('See https://a.example/1 or https://a.example/2', link(CONFIRM, 'Confirm'))).toBeNull();
});

it('is found where pictures come with the HTML', async () => {
  const raw = `From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\n\r\n${WORDS}\r\n--a\r\nContent-Type: multipart/related; boundary=r\r\n\r\n--r\r\nContent-Type: text/html\r\n\r\n${link(CONFIRM, 'Confirm')}\r\n--r--\r\n--a--\r\n`;
  expect(await readMail(Buffer.from(raw))).toMatchObject({ mail: { url: CONFIRM } });
});
