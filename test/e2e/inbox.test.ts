// The main job in the embedded size: one program, one folder.
import {
  createKey,
  createSignInLink,
  freePort,
  startProgram,
  temporaryFolder,
} from '#test/program/program.ts';
import { describeMainJob, type Site } from './main-job.ts';

describeMainJob('embedded', async () => {
  const folder = temporaryFolder('e2e');
  const key = createKey(folder.path);
  const port = await freePort();
  const start = () =>
    startProgram({
      dataDir: folder.path,
      port,
      env: {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        RATE_LIMIT_PER_MINUTE: '10000',
        RATE_LIMIT_PER_HOUR: '10000',
      },
    });
  const program = await start();
  const site: Site = {
    programs: [program, program],
    key,
    signInLink: ({ url }) => createSignInLink(folder.path, url),
    async powerCut() {
      await site.programs[0].kill();
      const again = await start();
      site.programs = [again, again];
    },
    async stop() {
      await site.programs[0].stop();
      folder.remove();
    },
  };
  return site;
});
