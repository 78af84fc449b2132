/** Reads search parameters: anything unexpected falls back to a default instead of breaking the screen. */
export function textParam(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function idParam(value: unknown): string | undefined {
  return typeof value === 'string' && uuid.test(value) ? value : undefined;
}

export function pageParam(value: unknown): number | undefined {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 ? page : undefined;
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

const custom = /^\d{4}-\d{2}-\d{2}_to_\d{4}-\d{2}-\d{2}$/;

/** `1w`, `2w`, `1m` or `YYYY-MM-DD_to_YYYY-MM-DD`; undefined means all dates. */
export function rangeParam(value: unknown): string | undefined {
  if (value === '1w' || value === '2w' || value === '1m') return value;
  return typeof value === 'string' && custom.test(value) ? value : undefined;
}

/** `YYYY-MM`, of this millennium: a year that is being typed is none yet. */
export function monthParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^2\d{3}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined;
}

/** ISO 3166-1 alpha-2, or `none` for what has no known country. */
export function countryParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^([A-Z]{2}|none)$/.test(value) ? value : undefined;
}
