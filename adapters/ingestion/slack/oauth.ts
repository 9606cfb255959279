// Adds the app to further workspaces (OAuth 2.0,
// https://docs.slack.dev/authentication/installing-with-oauth). The redirect must belong to an installation
// that began here, in the same browser, at most ten minutes ago; it works once. The token is stored
// encrypted.
import { randomBytes } from 'node:crypto';
import type { App } from '@slack/bolt';
import { hashSecret, isSameSecret } from '#core/domain/api-key.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import type { HttpResponse, HttpRequest } from '#core/ports/adapter/http.ts';
import { linkPage } from './views/blocks.ts';
import type { SlackRecords } from './records/records.ts';
import { SCOPES, type SlackConfig } from './settings.ts';

const INSTALL_PATH = '/slack/install';
const REDIRECT_PATH = '/slack/oauth_redirect';
const STATE_TTL_MS = 10 * 60_000;
const COOKIE = 'qinbox_slack';
/** Anybody can begin an installation, so the stored ones are limited. */
const MAX_BEGUN_A_MINUTE = 60;

interface Deps extends Pick<AdapterContext, 'http' | 'settings' | 'log' | 'clock'> {
  config: SlackConfig & { clientId: string; clientSecret: string };
  records: SlackRecords;
  client: App['client'];
}

export function addInstallation({ http, settings, log, clock, config, records, client }: Deps): void {
  const { clientId, clientSecret, apiUrl } = config;
  const redirectUri = () => `${settings.publicUrl}${REDIRECT_PATH}`;
  const cookie = (value: string, seconds: number) =>
    `${COOKIE}=${value}; Path=/slack; Max-Age=${seconds}; HttpOnly; SameSite=Lax` +
    (settings.publicUrl.startsWith('https:') ? '; Secure' : '');
  let minute = { began: -Infinity, count: 0 };

  http.on({ methods: ['GET'], path: INSTALL_PATH, bodyLimit: 1024 }, async () => {
    const now = clock.monotonic();
    if (now - minute.began >= 60_000) minute = { began: now, count: 0 };
    if (++minute.count > MAX_BEGUN_A_MINUTE)
      return {
        status: 503,
        headers: { 'retry-after': '60' },
        body: 'Too many at once. Try again in a minute.',
      };
    const state = randomBytes(24).toString('base64url');
    await records.storeState(hashSecret(state), STATE_TTL_MS);
    const target = new URL('/oauth/v2/authorize', apiUrl);
    target.search = new URLSearchParams({
      client_id: clientId,
      scope: SCOPES.join(','),
      redirect_uri: redirectUri(),
      state,
    }).toString();
    return redirect(target.href, cookie(state, STATE_TTL_MS / 1000));
  });

  http.on({ methods: ['GET'], path: REDIRECT_PATH, bodyLimit: 1024 }, async (request) => {
    const { state = '', code = '', error } = request.query;
    const isOurs = isSameSecret(cookieOf(request), state) && (await records.takeState(hashSecret(state)));
    if (!isOurs) return sorry(400, 'This did not begin here, or it took longer than ten minutes.');
    if (error !== undefined || code === '') return sorry(400, 'Slack says that it was cancelled.');
    try {
      const answer = await client.oauth.v2.access({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri(),
      });
      const { access_token: botToken, team } = answer;
      if (botToken === undefined || team?.id === undefined)
        return sorry(400, 'The app must be added to one workspace, not to a whole organisation.');
      await records.install({ teamId: team.id, teamName: team.name ?? null, botToken });
      log.info({ team: team.id }, 'the Slack app was added to a workspace');
      return redirect(linkPage(settings.publicUrl), cookie('', 0));
    } catch (fault) {
      log.warn({ why: (fault as Error).message }, 'the Slack app could not be added');
      return sorry(502, 'Slack did not confirm it.');
    }
  });

  function sorry(status: number, why: string): HttpResponse {
    const again = `${settings.publicUrl}${INSTALL_PATH}`;
    return { status, body: `The app was not added. ${why} Start again: ${again}\n` };
  }
}

/** Removes the token of a workspace that removes the app. */
export function followRemovals(app: App, records: SlackRecords): void {
  app.event(/^(app_uninstalled|tokens_revoked)$/, async ({ body, event }) => {
    const { tokens } = event as { tokens?: { bot?: readonly string[] } };
    if (tokens !== undefined && (tokens.bot ?? []).length === 0) return;
    const { team_id: teamId, event_time: at } = body as { team_id: string; event_time?: number };
    // In seconds: what was installed within the same one counts as before.
    await records.uninstall(teamId, at === undefined ? Infinity : at * 1000 + 999);
  });
}

function redirect(location: string, setCookie: string): HttpResponse {
  const unstored = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
  return { status: 302, headers: { location, 'set-cookie': setCookie, ...unstored } };
}

function cookieOf({ headers }: HttpRequest): string {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(headers['cookie'] ?? '')?.[1] ?? '';
}
