// Bounds the work on one mail, on a machine of any speed. A step: a line, tag, part or 128 bytes.

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
