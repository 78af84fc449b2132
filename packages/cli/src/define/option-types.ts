import { UsageError } from '#exit.ts';
import { wholeNumber } from '#input/whole-number.ts';

/** An option as a command declares it; `Value` is what the command gets. */
export interface Option<Value> {
  /** Its placeholder, such as `<n>`; undefined for a switch. */
  readonly value: string | undefined;
  readonly about: string;
  /** Its letter, such as `i` for `-i`. */
  readonly letter?: string;
  /** The settings in the environment that do the same, or that it replaces. */
  readonly env?: readonly string[];
  /** Written as it would be typed. */
  readonly fallback?: string | undefined;
  readonly repeatable?: boolean;
  /** Its possible values, where they are few: for completion and the manual page. */
  readonly values?: readonly string[] | undefined;
  /** @throws {UsageError} when the value is not valid. `given` comes from commander: undefined, a string, strings or true. */
  readonly parse: (given: unknown, flag: string) => Value;
}

/** The types of the values of declared options. */
export type ValuesOf<Own> = { -readonly [Name in keyof Own]: Own[Name] extends Option<infer Value> ? Value : never };

interface More {
  values?: readonly string[];
}
interface WithFallback extends More {
  /** Written as it would be typed. */
  fallback: string;
}

/** A switch, such as `--all`. */
export function flag(about: string): Option<boolean> {
  return { value: undefined, about, parse: (given) => given === true };
}

/** Any text; `values` are only suggestions. */
export function text(value: `<${string}>`, about: string, more: WithFallback): Option<string>;
export function text(value: `<${string}>`, about: string, more?: More): Option<string | undefined>;
export function text(value: string, about: string, more: Partial<WithFallback> = {}): Option<string | undefined> {
  return single(value, about, more, (given) => given);
}

/** Text that may be given several times. */
export function texts(value: `<${string}>`, about: string): Option<string[]> {
  return { value, about, repeatable: true, parse: (given) => (given as string[] | undefined) ?? [] };
}

/** One of these words. */
export function choice<const Word extends string>(
  value: `<${string}>`,
  about: string,
  more: { values: readonly Word[]; fallback: Word },
): Option<Word>;
export function choice<const Word extends string>(
  value: `<${string}>`,
  about: string,
  more: { values: readonly Word[] },
): Option<Word | undefined>;
export function choice<const Word extends string>(
  value: string,
  about: string,
  more: { values: readonly Word[]; fallback?: Word },
): Option<Word | undefined> {
  return single(value, about, more, (given, flag) => oneOf(more.values, given, flag));
}

/** Some of these words. */
export function choices<const Word extends string>(
  value: `<${string}>`,
  about: string,
  values: readonly Word[],
): Option<Word[]> {
  const parse = (given: unknown, flag: string) =>
    texts('<>', '')
      .parse(given, flag)
      .map((word) => oneOf(values, word, flag));
  return { value, about, repeatable: true, values, parse };
}

export function onOff(about: string): Option<boolean | undefined> {
  return single('<on|off>', about, {}, (given, flag) => oneOf(['on', 'off'], given, flag) === 'on');
}

/** A whole number. */
export function number(value: `<${string}>`, about: string, more: WithFallback): Option<number>;
export function number(value: `<${string}>`, about: string): Option<number | undefined>;
export function number(value: string, about: string, more: Partial<WithFallback> = {}): Option<number | undefined> {
  return single(value, about, more, wholeNumber);
}

/** A price in dollars; `none` is null and removes it. */
export function amount(value: `<${string}>`, about: string): Option<number | null | undefined> {
  return single(value, about, {}, (given, flag) => {
    if (given === 'none') return null;
    if (!/^-?(\d+\.?\d*|\.\d+)$/.test(given)) throw new UsageError(`${flag} takes an amount such as 49.99, or "none".`);
    return Number(given);
  });
}

/** A percentage with at most two decimals. */
export function percent(value: `<${string}>`, about: string): Option<number | undefined> {
  return single(value, about, {}, (given, flag) => {
    if (!/^\d{1,3}(\.\d{1,2})?$/.test(given) || Number(given) > 100)
      throw new UsageError(`${flag} takes a percentage from 0 to 100, such as 12.5.`);
    return Number(given);
  });
}

/** The same option, refused with this message when it is missing. */
export function required<Value>(option: Option<Value>, message: string): Option<NonNullable<Value>> {
  const parse = (given: unknown, flag: string) => {
    const value = option.parse(given, flag);
    if (value === undefined || value === null || value === '') throw new UsageError(message);
    return value;
  };
  return { ...option, parse };
}

/** The same option, also by a letter. */
export function short<Value>(letter: string, option: Option<Value>): Option<Value> {
  return { ...option, letter };
}

/** The same option, whose help names the settings in the environment that do the same. */
export function orFrom<Value>(env: string | readonly string[], option: Option<Value>): Option<Value> {
  return { ...option, env: typeof env === 'string' ? [env] : env };
}

function single<Value>(
  value: string,
  about: string,
  more: Partial<WithFallback>,
  parse: (given: string, flag: string) => Value,
): Option<Value | undefined> {
  return {
    value,
    about,
    ...more,
    parse: (given, flag) => (typeof given === 'string' ? parse(given, flag) : undefined),
  };
}

function oneOf<Word extends string>(words: readonly Word[], given: string, flag: string): Word {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new UsageError(`${flag} takes ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`);
}
