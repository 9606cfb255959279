// The Home tab: the queue by priority and page, with what can be done to each task.
import type { App } from '@slack/bolt';
import type { Task } from '#core/domain/task.ts';
import { shownTask } from './blocks.ts';
import { answerThrough, anyAck, type SlackDeps } from './deps.ts';
import { offerForm } from './modal.ts';
import { DEEDS, doIn } from './tasks.ts';
import { FIRST_PAGE, home, HOME_PAGE_SIZE, readHomeState, unlinkedHome, type HomeState } from './views.ts';
import { personOf, type ButtonPress, type Person } from './who.ts';

export function addHome(app: App, deps: SlackDeps): void {
  app.event('app_home_opened', async ({ event, body }) => {
    if (event.tab !== 'home') return;
    const person = { teamId: (body as { team_id: string }).team_id, userId: event.user };
    const state = readHomeState(event.view?.private_metadata);
    deps.outbox.follow('the Home tab', () => publish(person, state));
  });

  app.action(/^home\./, async ({ ack, body }) => {
    const press = body as unknown as ButtonPress;
    await answerThrough(
      deps,
      anyAck(ack),
      async () => {
        await act(press);
        return null;
      },
      () => undefined,
    );
  });

  async function act(press: ButtonPress): Promise<void> {
    const person = personOf(press);
    const { action_id: actionId = '', value = '', selected_option: selected } = press.actions[0] ?? {};
    const name = actionId.slice('home.'.length);
    const state = readHomeState(press.view?.private_metadata);
    const show = (next: HomeState, done?: Task) =>
      deps.outbox.follow('the Home tab', () => publish(person, next, done));
    if (name === 'new') return offerForm(deps, person, press.trigger_id);
    if (name === 'filter')
      return show(readHomeState(JSON.stringify({ priority: selected?.value, offset: 0 })));
    if (name === 'newer' || name === 'older') return show({ ...state, offset: Number(value) || 0 });
    const deed = DEEDS.find((each) => each === name);
    const ownerId = deed === undefined ? null : await deps.memory.ownerOf(person);
    if (deed === undefined || ownerId === null) return show(state);
    const task = await doIn(deps, ownerId, deed, value);
    show(state, deed === 'acknowledge' && task !== null ? task : undefined);
  }

  async function publish(person: Person, state: HomeState, done?: Task): Promise<void> {
    const { api, clock, memory, outbox, settings, tasks } = deps;
    const { teamId, userId } = person;
    const ownerId = await memory.ownerOf(person);
    const put = (view: ReturnType<typeof home>) =>
      outbox.send('the Home tab', () => api.publishHome(teamId, userId, view));
    if (ownerId === null) return put(unlinkedHome(settings.publicUrl));
    const { priority, offset } = state;
    const filter = priority === 'all' ? {} : { priority };
    const page = await tasks.list(ownerId, { ...filter, limit: HOME_PAGE_SIZE, offset });
    // The last of a page was acknowledged: there is nothing to see there any more.
    if (page.tasks.length === 0 && offset > 0) return publish(person, { ...FIRST_PAGE, priority }, done);
    const now = clock.now();
    const shown = { tasks: page.tasks.map((task) => shownTask(task, now)), total: page.total };
    put(home(shown, state, settings.publicUrl, done === undefined ? undefined : shownTask(done, now)));
  }
}
