/** What an operation is sent and what it answers, by status. */
export interface Example {
  request?: unknown;
  answers: Record<string, unknown>;
}
