import type { OperationId } from '@tonerow/sdk';
import type { Context } from './context.ts';

// biome-ignore lint/suspicious/noExplicitAny: each command knows the options it declared
export type Options = Record<string, any>;

/** One command: what it is called, what it takes, which operations of the API it stands for, and what it does. */
export interface Command {
  /** Such as `products list`. */
  path: string;
  summary: string;
  operations: readonly OperationId[];
  args?: readonly (readonly [name: string, about: string])[];
  options?: readonly (readonly [flags: string, about: string, fallback?: string])[];
  /** Flags that may be given several times. */
  repeatable?: readonly (readonly [flags: string, about: string])[];
  /** Lines that can be copied, the first one the most ordinary. Shown by its help, and run by tests. */
  examples: readonly string[];
  /** Fields of its JSON beside those of its operations' answers. */
  fields?: readonly string[];
  /** A repeat would do it again: when the answer is lost, the next identical run resumes it or says that it does not. */
  once?: true;
  run(context: Context, args: string[], options: Options): Promise<void>;
}

export const PAGE = [
  ['--limit <n>', 'how many rows at the most', '100'],
  ['--all', 'all rows'],
] as const satisfies Command['options'];

export const YES = ['--yes', 'do not ask'] as const satisfies [string, string];

/** The server computes what would happen, and changes nothing. */
export const DRY_RUN = ['--dry-run', 'only say what would happen'] as const satisfies [string, string];
