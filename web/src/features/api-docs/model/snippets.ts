// The examples of the API documentation, in three languages. Pure: a test runs each of them against the real
// server. They need only the language's own library.
import type { CreateTask } from '#core/contract/index.ts';
import type { CallName } from '../../../lib/api/calls.ts';

export const LANGUAGES = ['curl', 'javascript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_LABEL: Record<Language, string> = {
  curl: 'cURL',
  javascript: 'JavaScript',
  python: 'Python',
};

export interface Snippet {
  id: 'create' | 'list' | 'acknowledge';
  title: string;
  call: CallName;
  code: Record<Language, string>;
}

/** The values in the examples. `baseUrl` ends in `/api/v1`; none may contain quotes. */
export interface Filling {
  baseUrl: string;
  apiKey: string;
  taskId: string;
}

/** The task that the examples create. */
export const EXAMPLE_TASK = {
  content: 'Disk on nas-2 is 91% full',
  priority: 'high',
  source: 'api',
  tags: ['nas', 'storage'],
  expiryMinutes: 720,
  metadata: { host: 'nas-2', used: 0.91 },
} satisfies CreateTask;

/** Every example, in the order in which they are shown. */
export function snippets({ baseUrl, apiKey, taskId }: Filling): Snippet[] {
  const tasks = `${baseUrl}/tasks`;
  return [
    {
      id: 'create',
      title: 'Create a task',
      call: 'POST /tasks',
      code: {
        curl: `curl -X POST \\
  ${tasks} \\
  -H "x-api-key: ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '${json(2, '  ')}'`,
        javascript: `const response = await fetch('${tasks}', {
  method: 'POST',
  headers: { 'x-api-key': '${apiKey}', 'Content-Type': 'application/json' },
  body: JSON.stringify(${json(2)}),
});
const { task } = await response.json();
console.log(task.id);`,
        python: `import json
from urllib.request import Request, urlopen

request = Request(
    "${tasks}",
    method="POST",
    headers={"x-api-key": "${apiKey}", "Content-Type": "application/json"},
    data=json.dumps(${json(4, '    ')}).encode(),
)
with urlopen(request) as response:
    print(json.load(response)["task"]["id"])`,
      },
    },
    {
      id: 'list',
      title: 'List the urgent ones',
      call: 'GET /tasks',
      code: {
        curl: `curl "${tasks}?priority=high&limit=10" \\
  -H "x-api-key: ${apiKey}"`,
        javascript: `const response = await fetch('${tasks}?priority=high&limit=10', {
  headers: { 'x-api-key': '${apiKey}' },
});
const { tasks, pagination } = await response.json();
console.log(\`\${pagination.returned} of \${pagination.total}\`);
for (const task of tasks) console.log(task.id, task.content);`,
        python: `import json
from urllib.request import Request, urlopen

request = Request(
    "${tasks}?priority=high&limit=10",
    headers={"x-api-key": "${apiKey}"},
)
with urlopen(request) as response:
    answer = json.load(response)
print(f"{answer['pagination']['returned']} of {answer['pagination']['total']}")
for task in answer["tasks"]:
    print(task["id"], task["content"])`,
      },
    },
    {
      id: 'acknowledge',
      title: 'Acknowledge it when it is done',
      call: 'DELETE /tasks/:id',
      code: {
        curl: `curl -X DELETE \\
  ${tasks}/${taskId} \\
  -H "x-api-key: ${apiKey}"`,
        javascript: `const response = await fetch('${tasks}/${taskId}', {
  method: 'DELETE',
  headers: { 'x-api-key': '${apiKey}' },
});
const { message } = await response.json();
console.log(message);`,
        python: `import json
from urllib.request import Request, urlopen

request = Request(
    "${tasks}/${taskId}",
    method="DELETE",
    headers={"x-api-key": "${apiKey}"},
)
with urlopen(request) as response:
    print(json.load(response)["message"])`,
      },
    },
  ];
}

// Strings, numbers and lists read the same in JSON, JavaScript and Python. Short lists stay on their line.
function json(indent: number, margin = ''): string {
  return JSON.stringify(EXAMPLE_TASK, null, indent)
    .replaceAll(/\[\s+([^\]]*?)\s+\]/g, (_, items: string) => `[${items.replaceAll(/\s+/g, ' ')}]`)
    .replaceAll('\n', `\n${margin}`);
}
