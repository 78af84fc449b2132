import type { InputOf, OperationId } from '@tonerow/sdk';

/** An operation of the contract, from `@tonerow/sdk/routes`. */
export interface Route<Id extends OperationId> {
  readonly id: Id;
  readonly method: string;
  readonly path: string;
}

export type BodyOf<Id extends OperationId> = InputOf<Id> extends { body: infer Body } ? Body : never;

/** The URL of an operation, with the parameters of its path, such as `{id}`, filled in. */
export function addressOf(
  { path }: Route<OperationId>,
  values: Record<string, string> = {},
  query: Record<string, string | boolean> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_gap, name) => encodeURIComponent(values[name] ?? ''));
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return asked ? `${filled}?${asked}` : filled;
}
