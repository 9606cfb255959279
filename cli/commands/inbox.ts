// `qinbox inbox`, and `qinbox` alone: triage in the terminal, live, with the keys of the web app.
import { DEFAULT_URL, isLoggedIn, readLogin } from '../client/login-file.ts';
import { CommandError, EXIT_REFUSED, type Command, type Output } from '../command.ts';

/** Whether keys can be read and lines be drawn here. */
function isOnScreen(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY && process.env['TERM'] !== 'dumb';
}

export const inbox: Command = {
  name: 'inbox',
  usage: '',
  summary: 'triage in the terminal, live; the same as qinbox alone',
  details:
    'The keys are those of the web app; ? shows them, q quits. What you do can be undone with z. It needs a terminal and a key with the scopes read and write; scripts use ls, watch and ack.',
  async run() {
    const login = readLogin();
    if (!isOnScreen())
      throw new CommandError(
        'The inbox needs a terminal. Here, use: qinbox ls, qinbox watch, qinbox ack',
        EXIT_REFUSED,
      );
    const { runInbox } = await import('../screen/app.ts');
    process.exitCode = await runInbox(login);
  },
};

/** What `qinbox` alone is: the inbox where it can be shown, else help, on a terminal with what is missing. */
export function commandAlone(output: Output): Command | null {
  if (!isOnScreen()) return null;
  if (isLoggedIn()) return inbox;
  output.note(`Not logged in. To open the inbox here: qinbox login --url ${DEFAULT_URL}\n`);
  return null;
}
