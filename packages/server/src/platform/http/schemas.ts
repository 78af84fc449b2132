import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { codeOfEmail } from '../text/code-in-text.ts';
import { LATEST } from '../time/days.ts';

// a later one has a year of five digits, which this format does not support
const at = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) <= LATEST, 'The date is too far in the future.');

/** A moment: `Date` inside, ISO 8601 with `Z` outside. */
export const Time = z.codec(at, z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const MOMENT =
  'a day such as `2026-12-31`, a moment on the account’s clock such as `2026-12-31T18:00`, or one with its offset';

/** A date that somebody gives: for `momentOf`, which knows the account's time zone. */
export const Moment = z.string().trim().min(1, 'Enter a date such as 2026-12-31.').max(40);

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'Use YYYY-MM-DD.');

/** The days that a report is of. @param most how many they may be, in words */
export const reportDays = (timeZone: string, most = '') => ({
  startDate: Day.optional().describe(`First day, in ${timeZone}.`),
  endDate: Day.optional().describe(`Last day, inclusive${most}. Without both: the last 30 days to the end of today.`),
});

export const Id = z.uuid();
export const IdParams = z.object({ id: Id });
export const Ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' });
export const Message = z.object({ message: z.string() }).meta({ id: 'Message' });

export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    available: z.int().optional().describe('With `out_of_stock`: how many are left.'),
    opens_at: Time.optional().describe('With `serial_not_yet_valid`: from when on the serial can be redeemed.'),
    held_for: z
      .int()
      .optional()
      .describe(
        'With `idempotency_in_progress`: in so many seconds the first request has ended or died, and a repeat runs; unless it still works then.',
      ),
    error: z
      .string()
      .optional()
      .describe('For clients of OAuth, where they call: the same in their words (RFC 6749, RFC 8628).'),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details. `message` is for people, `code` for machines.' });

/**
 * Days in the account's time zone: all, the last 7, 14 or 30 days, or two days with `_to_` between them, both
 * inclusive. A custom period that is missing or half given means the last 30 days.
 */
export const DateRange = z
  .string()
  .regex(
    /^(all|1w|2w|1m|custom|(\d{4}-\d{2}-\d{2})?_to_(\d{4}-\d{2}-\d{2})?)$/,
    'Use all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD.',
  )
  .default('all')
  .describe('`all`, `1w`, `2w`, `1m` or `YYYY-MM-DD_to_YYYY-MM-DD`; half of that means the last 30 days.');

export const Search = z.string().trim().overwrite(codeOfEmail).max(200).optional();
export const Limit = z.coerce.number().int().min(1).max(1000).default(100);
/** Long enough for a list that is ordered by names. */
export const Cursor = z.string().max(3000).optional();
/** The fields beside a page of a list whose pages have numbers. */
export const pageNumbers = {
  total: z.int(),
  total_exact: z.boolean().describe('If false, `total` is a lower bound: the exact number was not counted.'),
  page: z.int(),
  page_size: z.int(),
  time_zone: z.string().describe('The time zone in which the days of `dateRange` begin and end.'),
};
/** Callers that read a list to its end need no total on each page, which costs more the longer the list is. */
const Count = z
  .stringbool()
  .default(true)
  .meta({ type: 'boolean', default: true })
  .describe(
    '`false` counts nothing, which is faster: a `total` is then only a lower bound, and `X-Total-Count` is missing.',
  );
/** A page of a list that has its total. */
export const COUNTED_PAGE = { limit: Limit, cursor: Cursor, count: Count };
/** The same of a list whose pages have numbers, and have always had twenty rows. */
export const NUMBERED_PAGE = {
  limit: Limit.default(20),
  cursor: Cursor.describe('Instead of `page`: continues after the page that answered it.'),
  count: Count,
};
/** A boolean in a query: `true` and `false`, and what else people write for them. */
export const Flag = z.stringbool().default(false).meta({ type: 'boolean', default: false });
export const DryRun = Flag.describe('Only report what would happen.');

/** Declares a page for a browser in the contract. */
export const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});

const always = {
  400: 'Not valid',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Temporarily unavailable',
  507: 'The server’s disk is full',
};
const signedIn = { 401: 'Missing or invalid credential', 403: 'Not allowed' };

/**
 * All responses of a route: the successful ones as given, and the problems it can end in. A status that is in neither
 * throws in the tests.
 */
export function answers<Good extends Record<number, z.ZodType | object>>(
  good: Good,
  ...problems: number[]
): Good & Record<number, z.ZodType> {
  const all: Record<number, unknown> = {};
  for (const [status, description] of Object.entries(always)) all[Number(status)] = problem(description);
  for (const status of problems) all[status] = problem(reasons[status] ?? 'Refused');
  return { ...all, ...good } as Good & Record<number, z.ZodType>;
}

/** All responses of a route that needs a caller. */
export function privateAnswers<Good extends Record<number, z.ZodType | object>>(
  good: Good,
  ...problems: number[]
): Good & Record<number, z.ZodType> {
  return answers(good, ...Object.keys(signedIn).map(Number), ...problems);
}

/** Write problems: a body can be unreadable, too large, of the wrong type, or repeated under an idempotency key. */
export const WRITE = [409, 413, 415, 422];

/**
 * Whatever may have a body may have one that is too large or of the wrong type, even where none is expected: every
 * such route declares both. Calls of plugins answer in a form of their own and take any type.
 */
export function declareBodyRefusals(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, schema, config }) => {
    const response = schema?.response as Record<number, unknown> | undefined;
    if (!response || config?.access?.as === 'plugin' || [method].flat().some((each) => /^(GET|HEAD)$/.test(each)))
      return;
    for (const status of [413, 415]) response[status] ??= problem(reasons[status] as string);
  });
}

const reasons: Record<number, string> = {
  401: 'Missing or invalid credential',
  402: 'A card is required',
  403: 'Not allowed',
  404: 'Not found, or owned by another account',
  406: 'Not available in the requested format',
  409: 'Conflict',
  413: 'Too large',
  415: 'Wrong content type',
  422: 'A business rule does not allow this',
};
