// A request as code in several languages, which need nothing but the language's own library (HTTPie is a
// program). Pure. A test runs what this writes against the real server, word for word.

export const LANGUAGES = ['curl', 'javascript', 'python', 'go', 'httpie'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_LABEL: Record<Language, string> = {
  curl: 'cURL',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  httpie: 'HTTPie',
};

export type HttpBody = { json: unknown } | { text: string };

export interface HttpRequest {
  method: string;
  /** With its query. */
  url: string;
  headers: readonly [name: string, value: string][];
  body: HttpBody | null;
}

/** What a program does with the answer, which it has as `response`; else it prints status and text. */
export interface Then {
  javascript: string;
  python: string;
}

const WRITERS: Record<Language, (request: HttpRequest, then?: Then) => string> = {
  curl,
  javascript,
  python,
  go,
  httpie,
};

export function codeOf(language: Language, request: HttpRequest, then?: Then): string {
  return WRITERS[language](request, then);
}

// Plain, in double quotes, or in single ones where something in it means something to a shell.
function shell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /["$`\\!\n]/.test(text) ? singly(text) : `"${text}"`;
}

function singly(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function inShellLines(parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}

function curl({ method, url, headers, body }: HttpRequest): string {
  const first = method === 'GET' ? [`curl ${shell(url)}`] : [`curl -X ${method}`, shell(url)];
  return inShellLines([
    ...first,
    ...headers.map(([name, value]) => `-H ${inQuotes(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`${dataOption(body)} ${singly(textOf(body, 2, '  '))}`]),
  ]);
}

const inQuotes = (text: string) => (/["$`\\!\n]/.test(text) ? singly(text) : `"${text}"`);

// A text that begins with an @ would be the name of a file.
const dataOption = (body: HttpBody) => ('text' in body && body.text.startsWith('@') ? '--data-raw' : '-d');

/** Numbers, texts and lists read the same in JSON, JavaScript and Python. Short lists stay on their line. */
function textOf(body: HttpBody, indent: number, margin: string): string {
  return 'text' in body ? body.text : inMargin(jsonOf(body.json, indent), margin);
}

const inMargin = (text: string, margin: string) => text.replaceAll('\n', `\n${margin}`);

export function jsonOf(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(SHORT_LIST, (list) =>
    list.replaceAll(/\n\s*/g, ' ').replace('[ ', '[').replace(/ \]$/, ']'),
  );
}

const SHORT_LIST = /\[\s+(?:"[^"\\\n]*"|-?[\d.]+)(?:,\s+(?:"[^"\\\n]*"|-?[\d.]+)){0,3}\s+\]/g;

function javascript({ method, url, headers, body }: HttpRequest, then?: Then): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: ${scriptHeaders(headers)},`]),
    ...(body === null ? [] : [`  body: ${scriptBody(body)},`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch(${scriptText(url)}${given});
${then?.javascript ?? 'console.log(response.status, await response.text());'}`;
}

function scriptHeaders(headers: HttpRequest['headers']): string {
  const entries = headers.map(
    ([name, value]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${scriptText(value)}`,
  );
  const line = `{ ${entries.join(', ')} }`;
  return line.length <= 80 ? line : `{\n    ${entries.join(',\n    ')},\n  }`;
}

const scriptBody = (body: HttpBody) =>
  'text' in body ? scriptText(body.text) : `JSON.stringify(${textOf(body, 2, '  ')})`;

function scriptText(text: string): string {
  if (/['\\\n\r\u2028\u2029]/.test(text)) return JSON.stringify(text);
  return `'${text}'`;
}

function python({ method, url, headers, body }: HttpRequest, then?: Then): string {
  const entries = headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const line = `{${entries.join(', ')}}`;
  const dictionary = line.length <= 80 ? line : `{\n        ${entries.join(',\n        ')},\n    }`;
  const needsJson = then !== undefined || (body !== null && 'json' in body);
  return `${needsJson ? 'import json\n' : ''}from urllib.request import Request, urlopen

request = Request(
    ${[
      JSON.stringify(url),
      ...(method === 'GET' ? [] : [`method="${method}"`]),
      ...(headers.length === 0 ? [] : [`headers=${dictionary}`]),
      ...(body === null ? [] : [`data=${pythonBody(body)}.encode()`]),
    ].join(',\n    ')},
)
with urlopen(request) as response:
    ${inMargin(then?.python ?? 'print(response.status, response.read().decode())', '    ')}`;
}

const pythonBody = (body: HttpBody) =>
  'text' in body
    ? JSON.stringify(body.text)
    : `json.dumps(${inMargin(asPython(jsonOf(body.json, 4)), '    ')})`;

const IN_PYTHON: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** The words of JSON that Python has in another form, but not those within texts. */
function asPython(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|true|false|null/g, (word) => IN_PYTHON[word] ?? word);
}

function go({ method, url, headers, body }: HttpRequest): string {
  const imports = ['fmt', 'io', 'log', 'net/http', ...(body === null ? [] : ['strings'])];
  const content = body === null ? '' : `\tbody := strings.NewReader(${goText(textOf(body, 2, ''))})\n`;
  const set = headers.map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`,
  );
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')})

func main() {
${content}\trequest, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${body === null ? 'nil' : 'body'})
	if err != nil {
		log.Fatal(err)
	}
${set.join('')}\tresponse, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(answer))
}`;
}

// Its raw texts may have lines, but no backtick, and lose a carriage return.
const goText = (text: string) => (/[`\r]/.test(text) ? JSON.stringify(text) : `\`${text}\``);

function httpie({ method, url, headers, body }: HttpRequest): string {
  const [path = '', query = ''] = url.split('?');
  const asked = [...new URLSearchParams(query)];
  const isReadable = asked.every(([, value]) => isSafe(value));
  const items = body !== null && 'json' in body ? itemsOf(body.json) : null;
  const isPlain = items !== null || body === null;
  const sent = headers.filter(([name]) => items === null || name !== 'Content-Type');
  return inShellLines([
    `http --ignore-stdin ${method}`,
    shell(isReadable ? path : url),
    ...(isReadable ? asked.map(([name, value]) => shell(`${name}==${value}`)) : []),
    ...sent.map(([name, value]) => shell(`${name}:${value.replace(/^[=@]/, String.raw`\$&`)}`)),
    ...(items ?? []),
    ...(isPlain ? [] : [`--raw ${singly(textOf(body, 2, '  '))}`]),
  ]);
}

/** Whether HTTPie takes it as it is: what begins so would be the name of a file, and it reads escapes. */
const isSafe = (text: string) => !/^[=@:]|\\/.test(text);

/** Each field of an object as HTTPie's own; null for what it would misread, or where there is none. */
function itemsOf(json: unknown): string[] | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const entries = Object.entries(json);
  const isTaken = ([name, value]: [string, unknown]) =>
    /^[A-Za-z_]\w*$/.test(name) && (typeof value !== 'string' || isSafe(value));
  if (entries.length === 0 || !entries.every(isTaken)) return null;
  return entries.map(([name, value]) =>
    typeof value === 'string'
      ? `${name}=${shell(value)}`
      : `${name}:=${shell(JSON.stringify(value).replaceAll('","', '", "'))}`,
  );
}
