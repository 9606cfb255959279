import type { Config } from '#core/config.ts';

/**
 * What the operator runs for a sign-in link. A container and a unit of systemd have the command itself, and
 * no npm; where many sign in, there is no owner whom a link without an address would be for.
 */
export function linkCommand(
  { production }: Pick<Config, 'production'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const program = env['npm_lifecycle_event'] === undefined ? 'qinbox' : 'npm run qinbox --';
  return `${program} signin-link${production === null ? '' : ' --email YOU@example.com'}`;
}
