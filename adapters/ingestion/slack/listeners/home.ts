// The Home tab: the queue by priority and page, with what can be done to each task.
import type { App, types } from '@slack/bolt';
import type { Task } from '#core/domain/task.ts';
import { shownPage, shownTask } from '../views/blocks.ts';
import { answerThrough, anyAck, faultMessage, showNotice, type ListenerDeps } from './listener.ts';
import { offerForm } from './task-form.ts';
import { actionOf, actOnTask } from '../tasks/task-actions.ts';
import {
  FIRST_PAGE,
  failedHome,
  home,
  HOME_PAGE_SIZE,
  readHomeState,
  unlinkedHome,
  type HomeState,
} from '../views/views.ts';
import { personOf, type ButtonPress, type Person } from '../payloads.ts';

type HomeView = types.HomeView;

export function addHome(app: App, deps: ListenerDeps): void {
  app.event('app_home_opened', async ({ event, body }) => {
    if (event.tab !== 'home') return;
    const person = { teamId: (body as { team_id: string }).team_id, userId: event.user };
    const state = readHomeState(event.view?.private_metadata);
    showHome(person, state);
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
      (message) => showNotice(deps, personOf(press), press.trigger_id, message),
    );
  });

  async function act(press: ButtonPress): Promise<void> {
    const person = personOf(press);
    const [pressed] = press.actions;
    const { action_id: actionId = '', value = '', selected_option: selected } = pressed ?? {};
    const name = actionId.slice('home.'.length);
    const state = readHomeState(press.view?.private_metadata);
    const show = (next: HomeState, done?: Task) => showHome(person, next, done);
    if (name === 'new') return offerForm(deps, person, press.trigger_id);
    if (name === 'filter')
      return show(readHomeState(JSON.stringify({ priority: selected?.value, offset: 0 })));
    if (name === 'newer' || name === 'older') return show({ ...state, offset: Number(value) || 0 });
    const action = pressed === undefined ? null : actionOf(pressed);
    const ownerId = action === null ? null : await deps.records.ownerOf(person);
    if (action === null || ownerId === null) return show(state);
    const task = await actOnTask(deps, ownerId, action);
    show(state, action.name === 'acknowledge' && task !== null ? task : undefined);
  }

  /** Shows the Home tab in the background, or why it cannot be shown. */
  function showHome(person: Person, state: HomeState, done?: Task): void {
    deps.outbox.follow('the Home tab', () =>
      publish(person, state, done).catch((error: unknown) =>
        put(person, failedHome(state, faultMessage(deps, error))),
      ),
    );
  }

  function put({ teamId, userId }: Person, view: HomeView): void {
    deps.outbox.send('the Home tab', () => deps.api.publishHome(teamId, userId, view));
  }

  async function publish(person: Person, state: HomeState, done?: Task): Promise<void> {
    const { clock, records, settings, tasks } = deps;
    const ownerId = await records.ownerOf(person);
    if (ownerId === null) return put(person, unlinkedHome(settings.publicUrl));
    const { priority, offset } = state;
    const filter = priority === 'all' ? {} : { priority };
    const page = await tasks.list(ownerId, { ...filter, limit: HOME_PAGE_SIZE, offset });
    // The last of a page was acknowledged: there is nothing to see there any more.
    if (page.tasks.length === 0 && offset > 0) return publish(person, { ...FIRST_PAGE, priority }, done);
    const now = clock.now();
    put(
      person,
      home(
        shownPage(page, now),
        state,
        settings.publicUrl,
        done === undefined ? undefined : shownTask(done, now),
      ),
    );
  }
}
