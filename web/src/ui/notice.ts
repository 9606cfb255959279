// A short notice at the foot of the page.

export interface Notice {
  /** A notice with the id of one that is shown replaces it. */
  id?: string;
  text: string;
  detail?: string;
  /** Read out at once. */
  urgent?: boolean;
  timeoutMs?: number;
  action?: { label: string; keys?: string; run: () => void };
}
