import type { OperationId } from '@tonerow/sdk';
import type { Context } from './context.ts';
import type { Option, ValuesOf } from './option-types.ts';
import { mustNotShadow } from './options.ts';

/** An argument as the help shows it, such as `<file>`, `[label]` or `<serial...>`, and its possible values. */
export type Arg = readonly [name: ArgName, about: string, values?: readonly string[]];
type ArgName = `<${string}>` | `[${string}]`;

/** The type of the declared arguments: a tuple of strings that ends with the rest arguments. */
type ArgsOf<Args extends readonly Arg[]> = Args extends readonly [infer First extends Arg, ...infer Rest extends Arg[]]
  ? [...ArgOf<First[0]>, ...ArgsOf<Rest>]
  : [];
type ArgOf<Name extends ArgName> = Name extends `${string}...${string}`
  ? string[]
  : Name extends `[${string}]`
    ? [string?]
    : [string];

type Options = Readonly<Record<string, Option<unknown>>>;

interface Declaration<Args extends readonly Arg[], Own extends Options> {
  /** Such as `products list`: the folder's noun, then the name of the file. */
  path: string;
  summary: string;
  /** The operations of the API that it calls; a test compares them with the contract. */
  operations: readonly OperationId[];
  args?: Args;
  /** By their names in camel case: `dryRun` is `--dry-run`. Their types follow from their declarations. */
  options?: Own;
  /** Command lines to copy, the most common one first. Shown by its help and run by tests. */
  examples: readonly string[];
  /** The operations whose responses its JSON is made of, where others only look something up. */
  shows?: readonly OperationId[];
  /** Fields of its JSON besides those in the responses of its operations. */
  fields?: readonly string[];
  /** Running it twice would do it twice: after a lost response, the next identical run asks whether to resume. */
  once?: true;
  run(given: { context: Context; args: ArgsOf<Args>; options: ValuesOf<Own> }): Promise<void>;
}

/** A command without the types of its arguments and options. */
export interface Command extends Omit<Declaration<readonly Arg[], Options>, 'args' | 'options' | 'run'> {
  readonly args: readonly Arg[];
  readonly options: Options;
  run(context: Context, args: string[], options: Record<string, unknown>): Promise<void>;
}

/**
 * One command of the terminal client. The types of `args` and `options` in `run` follow from the declaration.
 *
 * @throws {Error} for an option with the name of one that all have, or that it has for being what it is.
 * @example
 * defineCommand({
 *   path: 'products list',
 *   summary: 'List products',
 *   operations: ['listProducts'],
 *   options: { search: text('<text>', 'part of the name'), ...PAGE },
 *   examples: ['tonerow products list --search delay'],
 *   async run({ context, options }) {
 *     // options.search is a string or undefined, options.limit a number
 *   },
 * });
 */
export function defineCommand<
  const Args extends readonly Arg[] = readonly [],
  const Own extends Options = Record<never, never>,
>(declaration: Declaration<Args, Own>): Command {
  const { args = [], options = {}, run, ...rest } = declaration;
  mustNotShadow({ ...rest, options });
  return {
    ...rest,
    args,
    options,
    run: (context, args, options) =>
      run({ context, args: args as ArgsOf<Args>, options: options as unknown as ValuesOf<Own> }),
  };
}

/** The commands of one noun, such as `products`: a folder of `commands/`. */
export interface Noun {
  name: string;
  about: string;
  commands: readonly Command[];
}
