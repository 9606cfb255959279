// Bounds the work on the text of one mail by steps, so that the limit does not depend on the speed of the
// machine. One step is a line, a tag, a part or 128 bytes of text.

/** Any real mail within the limits stays far below. */
const MAX_STEPS = 2_000_000;

/** Thrown when the budget is spent; the mail is refused. */
export class StepBudgetSpent extends Error {}

export class StepBudget {
  spent = 0;
  readonly limit: number;

  constructor(limit: number = MAX_STEPS) {
    this.limit = limit;
  }

  charge(steps: number): void {
    this.spent += steps;
    if (this.spent > this.limit) throw new StepBudgetSpent('A mail took more work than any real one.');
  }
}
