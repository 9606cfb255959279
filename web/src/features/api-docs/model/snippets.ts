// The examples of the API documentation, in several languages. Pure: a test runs each of them against the
// real server.
import type { CreateTask } from '#core/contract/index.ts';
import type { CallName } from '../../../lib/api/calls.ts';
import { codeOf, LANGUAGES, type HttpRequest, type Language, type Then } from './code.ts';

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
  const key: [string, string] = ['x-api-key', apiKey];
  return [
    {
      id: 'create',
      title: 'Create a task',
      call: 'POST /tasks',
      code: inEachLanguage(
        {
          method: 'POST',
          url: tasks,
          headers: [key, ['Content-Type', 'application/json']],
          body: { json: EXAMPLE_TASK },
        },
        {
          javascript: `const { task } = await response.json();
console.log(task.id);`,
          python: 'print(json.load(response)["task"]["id"])',
        },
      ),
    },
    {
      id: 'list',
      title: 'List the urgent ones',
      call: 'GET /tasks',
      code: inEachLanguage(
        { method: 'GET', url: `${tasks}?priority=high&limit=10`, headers: [key], body: null },
        {
          javascript: `const { tasks, pagination } = await response.json();
console.log(\`\${pagination.returned} of \${pagination.total}\`);
for (const task of tasks) console.log(task.id, task.content);`,
          python: `answer = json.load(response)
print(f"{answer['pagination']['returned']} of {answer['pagination']['total']}")
for task in answer["tasks"]:
    print(task["id"], task["content"])`,
        },
      ),
    },
    {
      id: 'acknowledge',
      title: 'Acknowledge it when it is done',
      call: 'DELETE /tasks/:id',
      code: inEachLanguage(
        { method: 'DELETE', url: `${tasks}/${taskId}`, headers: [key], body: null },
        {
          javascript: `const { message } = await response.json();
console.log(message);`,
          python: 'print(json.load(response)["message"])',
        },
      ),
    },
  ];
}

function inEachLanguage(request: HttpRequest, then: Then): Record<Language, string> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, codeOf(language, request, then)]),
  ) as Record<Language, string>;
}
