import { type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';

/** Reads a search parameter. Whatever is unexpected falls back to what an absent one means, instead of breaking the screen. */
export type Param<T> = (value: unknown) => T;

export const matching =
  (pattern: RegExp): Param<string | undefined> =>
  (value) => {
    // the router reads `25` as a number
    const written = text(value);
    return written !== undefined && pattern.test(written) ? written : undefined;
  };

/** @param absent what an address without it means */
export const or =
  <T, const Absent>(param: Param<T | undefined>, absent: Absent): Param<T | Absent> =>
  (value) =>
    param(value) ?? absent;

export const text: Param<string | undefined> = (value) => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const id = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
/** `YYYY-MM`, of this millennium: a year that is being typed is none yet. */
export const month = matching(/^2\d{3}-(0[1-9]|1[0-2])$/);
/** ISO 3166-1 alpha-2, or `none` for what has no known country. */
export const country = matching(/^([A-Z]{2}|none)$/);
/** `1w`, `2w`, `1m` or `YYYY-MM-DD_to_YYYY-MM-DD`. */
export const range = matching(/^([12]w|1m|\d{4}-\d{2}-\d{2}_to_\d{4}-\d{2}-\d{2})$/);

export const number =
  (fits: (value: number) => boolean): Param<number | undefined> =>
  (value) =>
    Number.isInteger(Number(value)) && fits(Number(value)) ? Number(value) : undefined;

export const page = or(
  number((value) => value > 1),
  1,
);

/** One of these; a number may be written as a text. */
export const oneOf =
  <const T extends string | number>(choices: readonly T[]): Param<T | undefined> =>
  (value) =>
    choices.find((choice) => choice === value || (typeof choice === 'number' && choice === Number(value)));

export const flag: Param<boolean> = (value) => value === true;

/** The search text of a list. */
export const searched = or(text, '');
/** The period of figures. */
export const period = or(range, '1m');
/** The days of a list. */
export const days = or(range, 'all');

/** The values that a screen keeps in its address. */
export type SearchOf<P extends Params> = { [Key in keyof P]: ReturnType<P[Key]> };
type Params = Record<string, Param<unknown>>;

const read = <P extends Params>(params: P, given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param(given[name])])) as SearchOf<P>;

/** The values of an address without any parameter. */
export const absent = <P extends Params>(params: P) => read(params, {});

/**
 * The parameters that a screen keeps in its address. The screen reads every parameter. An address leaves out the
 * parameters that have their default values.
 * @example createFileRoute('/batches')({ ...searchSchema({ search: searched, page }), component })
 */
export function searchSchema<const P extends Params>(params: P) {
  return {
    validateSearch: (given: Partial<SearchOf<P>> & SearchSchemaInput) => read(params, given),
    // biome-ignore lint/suspicious/noExplicitAny: the router knows the parameters of all routes above this one as well
    search: { middlewares: [stripSearchParams<any>(absent(params))] },
  };
}
