import type { OperationId } from '@tonerow/sdk';
import type { Context } from '#run/context.ts';
import type { Option } from './option-types.ts';

/** An argument as the help shows it, such as `<file>`, `[label]` or `<serial...>`, and its possible values. */
export type Arg = readonly [name: ArgName, about: string, values?: readonly string[]];
export type ArgName = `<${string}>` | `[${string}]`;

export type Options = Readonly<Record<string, Option<unknown>>>;

/** Everything that a command declares besides its arguments and options. */
export interface CommandFacts {
  /** Such as `products list`: the folder's noun, then the name of the file. */
  path: string;
  summary: string;
  /** The operations of the API that it calls; a test compares them with the contract. */
  operations: readonly OperationId[];
  /** Command lines to copy, the most common one first. Shown by its help and run by tests. */
  examples: readonly string[];
  /** The operations whose responses its JSON is made of, where others only look something up. */
  shows?: readonly OperationId[];
  /** Fields of its JSON besides those in the responses of its operations. */
  fields?: readonly string[];
  /** Running it twice would do it twice: after a lost response, the next identical run asks whether to resume. */
  once?: true;
}

/** A command without the types of its arguments and options. */
export interface Command extends CommandFacts {
  readonly args: readonly Arg[];
  /** Options by their names in camel case: `dryRun` is `--dry-run`. */
  readonly options: Options;
  run(context: Context, args: string[], options: Record<string, unknown>): Promise<void>;
}

/** The commands of one noun, such as `products`: a folder of `commands/`. */
export interface Noun {
  name: string;
  about: string;
  commands: readonly Command[];
}
