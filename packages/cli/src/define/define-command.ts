import type { Context } from '#run/context.ts';
import type { Arg, ArgName, Command, CommandFacts, Options } from './command.ts';
import type { ValuesOf } from './option-types.ts';
import { mustNotShadow } from './options.ts';

/** The type of the declared arguments: a tuple of strings that ends with the rest arguments. */
type ArgsOf<Args extends readonly Arg[]> = Args extends readonly [infer First extends Arg, ...infer Rest extends Arg[]]
  ? [...ArgOf<First[0]>, ...ArgsOf<Rest>]
  : [];
type ArgOf<Name extends ArgName> = Name extends `${string}...${string}`
  ? string[]
  : Name extends `[${string}]`
    ? [string?]
    : [string];

interface Declaration<Args extends readonly Arg[], Own extends Options> extends CommandFacts {
  args?: Args;
  /** Options by their names in camel case: `dryRun` is `--dry-run`. Their types follow from their declarations. */
  options?: Own;
  run(given: { context: Context; args: ArgsOf<Args>; options: ValuesOf<Own> }): Promise<void>;
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
