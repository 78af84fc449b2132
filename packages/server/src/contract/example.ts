/** An example of an operation: its request, and its answers by status. */
export interface Example {
  request?: unknown;
  answers: Record<string, unknown>;
}
