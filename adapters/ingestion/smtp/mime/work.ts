// Counts what reading one mail costs, in steps that are each bounded, so that no mail can cost more however it is made and
// however fast the machine is. What counts as one: a line looked at, a tag, a part, a kilobyte copied.

/** Steps that any real mail within the limits stays under by far. */
const MAX_STEPS = 2_000_000;

/** Thrown inside of the parser only; the mail is refused. */
export class TooMuchWork extends Error {}

export class Work {
  steps = 0;
  readonly limit: number;

  constructor(limit: number = MAX_STEPS) {
    this.limit = limit;
  }

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > this.limit) throw new TooMuchWork('A mail took more work than any real one.');
  }
}
