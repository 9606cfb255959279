// The API as far as the screens need it, in memory, in the place of `fetch`.
import { isAsleep } from '../src/lib/time.ts';
import type { SlackStatus } from '#adapters/ingestion/slack/contract.ts';
import type { ApiKey, ChangeTask, Facets, SaveView, Task, User, View } from '#core/contract/index.ts';
import type { Call, Reply } from './call.ts';
import { FakeEscalations } from './escalations.ts';
import { FakeIntakes } from './intakes.ts';
import { anApiDocument } from './openapi.ts';
import { FakePush } from './push.ts';
import { FakeWebhooks } from './webhooks.ts';
import { anApiKey, anOverview, aTask, aUser } from './tasks.ts';

const RANK = { high: 0, normal: 1, low: 2 };

export class FakeServer {
  tasks: Task[] = [];
  acknowledged: Task[] = [];
  /** Tasks that one answer carries at most, as when they are large. */
  largestAnswer = 1000;
  apiKeys: ApiKey[] = [];
  escalations = new FakeEscalations();
  intakes = new FakeIntakes();
  push = new FakePush();
  webhooks = new FakeWebhooks();
  views: View[] = [];
  slack: SlackStatus = { configured: false, mode: null, installUrl: null, accounts: [], channels: null };
  users: User[] = [aUser];
  googleClientId: string | null = null;
  /** Sign-in by e-mail is switched on. */
  emailSignIn = false;
  /** Guests may read the queue of this server's owner. */
  guestQueue = false;
  calls: Call[] = [];
  guest = false;
  /** Answers of a test's own, first match wins: "METHOD /path". */
  replies = new Map<string, (call: Call) => Reply | Promise<Reply>>();

  fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const address = input instanceof Request ? input.url : input.toString();
    const url = new URL(address, 'http://localhost');
    const call: Call = {
      method: init.method ?? 'GET',
      path: url.pathname.replace('/api/v1', ''),
      query: url.searchParams,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {},
      headers: new Headers(init.headers),
    };
    this.calls.push(call);
    init.signal?.throwIfAborted();
    const own = this.replies.get(`${call.method} ${call.path}`);
    const { status, body, headers } = own === undefined ? this.#answer(call) : await own(call);
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  };

  called(name: string): Call[] {
    return this.calls.filter((call) => `${call.method} ${call.path}` === name);
  }

  #answer(call: Call): Reply {
    const { method, path, query, body } = call;
    if (path === '/config')
      return ok({
        config: {
          googleClientId: this.googleClientId,
          supportEmail: null,
          signIn: {
            google: this.googleClientId !== null,
            email: this.emailSignIn,
            apiKey: true,
            linkCommand: 'qinbox signin-link --email YOU@example.com',
          },
          guestQueue: this.guestQueue,
        },
      });
    if (path === '/openapi.json') return { status: 200, body: anApiDocument };
    if (this.guest) return refusal(401, 'UNAUTHORIZED', 'Sign in or send a valid API key.');
    if (path === '/auth/profile') return ok({ user: { ...aUser, ...body } });
    if (path.startsWith('/intakes')) return this.intakes.answer(call);
    if (path.startsWith('/push')) return this.push.answer(call);
    if (path === '/digest' || path.startsWith('/escalations')) return this.escalations.answer(call);
    if (path.startsWith('/webhooks')) return this.webhooks.answer(call);
    if (path.startsWith('/slack')) return this.#answerSlack(call);
    if (path.startsWith('/auth/api-keys')) return this.#answerKeys(method, path, body);
    if (path === '/auth/logout') return ok({});
    if (path === '/admin/overview') return ok({ overview: anOverview });
    if (path.startsWith('/admin/users')) return this.#answerUsers(call);
    if (path === '/admin/rejected') return ok({ rejected: [] });
    if (path.startsWith('/admin/rejected/')) return ok({});
    if (path === '/live/ticket') return { status: 201, body: { success: true, ticket: 'T1' } };
    if (method === 'GET' && path === '/tasks') return ok(this.#page(query));
    if (method === 'POST' && path === '/tasks') {
      const task = aTask({ ...(body as Partial<Task>), ageMs: 0 });
      this.tasks.unshift(task);
      return { status: 201, body: { success: true, task } };
    }
    if (path.startsWith('/views')) return this.#answerViews(call);
    if (path === '/tasks/facets') return ok({ facets: this.#facets() });
    if (method === 'PATCH' && path === '/tasks') return ok(this.#changeMany(body['tasks'] as ChangeTask[]));
    if (path === '/tasks/acknowledged') return ok({ tasks: this.#restorable() });
    if (path === '/tasks/acknowledge' || path === '/tasks/restore') {
      const ids = body['ids'] as string[];
      return path === '/tasks/restore'
        ? ok({
            restored: ids,
            notFound: [],
            tasks: ids.map((id) => this.#restore(id)).slice(0, this.largestAnswer),
          })
        : ok({ acknowledged: ids.filter((id) => this.#acknowledge(id)), notFound: [] });
    }
    const [, , id = '', action] = path.split('/');
    if (action === 'restore') return ok({ task: this.#restore(id) });
    if (!this.tasks.some((task) => task.id === id))
      return refusal(404, 'NOT_FOUND', 'There is no such task.');
    if (method === 'DELETE') return ok({ message: String(this.#acknowledge(id)) });
    if (action === 'extend') return ok({ task: this.#change(id, {}) });
    return ok({ task: this.#change(id, body) });
  }

  #answerKeys(method: string, path: string, body: Record<string, unknown>): Reply {
    if (method === 'GET') return ok({ apiKeys: this.apiKeys });
    if (method === 'POST') {
      const key = anApiKey({ ...body, name: String(body['name']) });
      this.apiKeys.unshift(key);
      return { status: 201, body: { success: true, apiKey: { ...key, key: `qi_FULL${key.id}TAIL` } } };
    }
    this.apiKeys = this.apiKeys.filter(({ id }) => !path.endsWith(`/${id}`));
    return ok({});
  }

  #answerUsers({ method, path, body }: Call): Reply {
    if (method === 'GET') return ok({ users: this.users });
    if (method === 'PATCH') {
      this.users = this.users.map((user) => (path.endsWith(`/${user.id}`) ? { ...user, ...body } : user));
      return ok({ user: this.users.find(({ id }) => path.endsWith(`/${id}`)) });
    }
    const isNew = path === '/admin/users';
    if (isNew)
      this.users.push({ ...aUser, id: `user_${this.users.length}`, email: String(body['email']), name: '' });
    const user = isNew ? this.users.at(-1) : this.users.find(({ id }) => path.includes(`/${id}/`));
    const link = {
      url: 'http://localhost:9999/inbox#signin=TOKEN',
      token: 'TOKEN',
      expiresAt: '2026-11-21T09:15:00',
    };
    return { status: 201, body: { success: true, user, link } };
  }

  #codes = 0;
  #answerSlack({ method, path, body }: Call): Reply {
    const [, , kind, id = ''] = path.split('/').map(decodeURIComponent);
    if (method === 'GET') return ok({ slack: structuredClone(this.slack) });
    if (kind === 'code') {
      const expiresAt = new Date(Date.now() + 10 * 60_000).toISOString();
      return { status: 201, body: { success: true, code: `ABCD-EFG${++this.#codes}`, expiresAt } };
    }
    if (method === 'POST') {
      const channel = { id: String(body['channel']), name: null, owner: String(body['owner']), tied_at: '' };
      return { status: 201, body: { success: true, channel } };
    }
    this.slack.accounts = this.slack.accounts.filter((account) => account.id !== id);
    return ok({});
  }

  #restorable() {
    const now = Date.now();
    return this.acknowledged.toReversed().map((task) => ({
      task,
      acknowledgedAt: new Date(now).toISOString(),
      restorableUntil: new Date(now + 10 * 60_000).toISOString(),
    }));
  }

  #page(query: URLSearchParams) {
    const limit = Number(query.get('limit') ?? 100);
    const offset = Number(query.get('offset') ?? 0);
    const asleep = this.tasks.filter((task) => isAsleep(task, Date.now()));
    const awake = this.tasks.filter((task) => !asleep.includes(task));
    const matching = (query.get('snoozed') === 'true' ? asleep : awake).filter(
      (task) =>
        (query.get('priority') ?? task.priority) === task.priority &&
        (query.get('source') ?? task.source) === task.source &&
        (query.get('intake') ?? task.intake?.name) === task.intake?.name &&
        query.getAll('tag').every((tag) => task.tags.includes(tag)) &&
        [task.content, task.metadata['body']].some(
          (text) => typeof text === 'string' && text.includes(query.get('q') ?? ''),
        ),
    );
    if (query.get('order') === 'priority') matching.sort((a, b) => RANK[a.priority] - RANK[b.priority]);
    if (query.get('order') === 'source') matching.sort((a, b) => (a.source < b.source ? -1 : 1));
    const tasks = matching.slice(offset, offset + Math.min(limit, this.largestAnswer));
    const count = (test: (task: Task) => boolean) => awake.filter(test).length;
    return {
      tasks,
      pagination: { limit, offset, total: matching.length, returned: tasks.length },
      statistics: {
        total: awake.length,
        high: count((task) => task.priority === 'high'),
        normal: count((task) => task.priority === 'normal'),
        low: count((task) => task.priority === 'low'),
        pinned: count((task) => task.pinned),
        snoozed: asleep.length,
      },
    };
  }

  #facets(): Facets {
    const values = [...new Set(this.tasks.flatMap(({ tags }) => tags))];
    return {
      tags: values.map((value) => ({
        value,
        count: this.tasks.filter(({ tags }) => tags.includes(value)).length,
      })),
      sources: [...new Set(this.tasks.map(({ source }) => source))].map((value) => ({ value, count: 1 })),
      intakes: [],
    };
  }

  #changeMany(changes: readonly ChangeTask[]) {
    const there = changes.filter(({ id }) => this.tasks.some((task) => task.id === id));
    const tasks = there.flatMap(({ id, ...fields }) => this.#change(id, fields) ?? []);
    const changed = there.map(({ id }) => id);
    const notFound = changes.map(({ id }) => id).filter((id) => !changed.includes(id));
    return { changed, notFound, tasks: tasks.slice(0, this.largestAnswer) };
  }

  #answerViews({ method, path, body }: Call): Reply {
    if (method === 'GET') return ok({ views: this.views });
    const id = method === 'POST' ? `view_${this.calls.length}` : (path.split('/')[2] ?? '');
    this.views = this.views.filter((view) => view.id !== id);
    if (method === 'DELETE') return ok({});
    const view = { ...(body as unknown as SaveView), id };
    this.views.push(view);
    return { status: method === 'POST' ? 201 : 200, body: { success: true, view } };
  }

  #change(id: string, changes: Partial<Task>): Task | undefined {
    this.tasks = this.tasks.map((task) =>
      task.id === id ? { ...task, ...changes, version: task.version + 1 } : task,
    );
    return this.tasks.find((task) => task.id === id);
  }

  #acknowledge(id: string): boolean {
    const task = this.tasks.find((each) => each.id === id);
    if (task === undefined) return false;
    this.acknowledged.push({ ...task, version: task.version + 1 });
    this.tasks = this.tasks.filter((each) => each !== task);
    return true;
  }

  #restore(id: string): Task | undefined {
    const task = this.acknowledged.find((each) => each.id === id);
    this.acknowledged = this.acknowledged.filter((each) => each !== task);
    if (task !== undefined) this.tasks.unshift({ ...task, version: task.version + 1 });
    return this.tasks[0];
  }
}

function ok(body: object): Reply {
  return { status: 200, body: { success: true, ...body } };
}

export function refusal(status: number, code: string, error: string): Reply {
  return { status, body: { success: false, error, code, requestId: 'r1' } };
}
