// The main job in the production size: a browser on each of two APIs, two workers, MongoDB's protocol, Redis.
import { startStack } from '#test/faults/stack.ts';
import { describeMainJob, type Site } from './main-job.ts';

describeMainJob('production', async () => {
  const stack = await startStack();
  if ('missing' in stack) return stack;
  const [one, two] = stack.apis as Site['programs'];
  const site: Site = {
    programs: [one, two],
    key: stack.qinbox('key', 'create', '--email', 'me@example.com', '--name', 'e2e'),
    signInLink: ({ url }) => {
      const printed = stack.qinbox('signin-link', '--email', 'me@example.com', '--json');
      return `${url}/inbox#signin=${(JSON.parse(printed) as { token: string }).token}`;
    },
    async powerCut() {
      await Promise.all([...site.programs, ...stack.workers].map((program) => program.kill()));
      stack.workers = [await stack.startWorker()];
      site.programs = [
        await stack.startApi(site.programs[0].port),
        await stack.startApi(site.programs[1].port),
      ];
    },
    stop: () => stack.stop(),
  };
  return site;
});
