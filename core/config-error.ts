// How a wrong configuration is refused.

/** Exit code for a wrong configuration (`EX_CONFIG` of sysexits.h). */
export const EXIT_CONFIG = 78;

/** A variable with a wrong value. The message is one line for the operator. */
export class ConfigError extends Error {
  readonly variable: string;
  constructor(variable: string, mustBe: string) {
    super(`${variable} ${mustBe}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}
