import { z } from 'zod';

/**
 * Readable messages for validation errors without a message of their own. They state what is required, so that they can
 * be shown next to the field, or after its name in a sentence.
 */
export function plainFieldMessages(): void {
  z.config({ localeError: (issue) => messageOf(issue as z.core.$ZodRawIssue) });
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const formats: Record<string, string> = {
  email: 'Must be an email address.',
  uuid: 'Must be an id.',
  url: 'Must be a web address.',
  datetime: 'Must be a date and time such as 2026-01-31T12:00:00Z.',
  date: 'Must be a date such as 2026-01-31.',
};

const GENERIC = /^(?:Must |Required\.|Not valid\.|Unknown field\.)/;

function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required.';
      return kinds[issue.expected] ? `Must be ${kinds[issue.expected]}.` : 'Not valid.';
    case 'too_big':
      return `Must ${sized(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'Required.';
      return `Must ${sized(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'Not valid.';
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`;
    case 'invalid_value':
      return issue.values.length === 1 && issue.values[0] === ''
        ? 'Must be empty.'
        : `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return 'Unknown field.';
    case 'invalid_union':
      // prefer the message of a branch that has its own
      return issue.errors.flat().find(({ message }) => !GENERIC.test(message))?.message ?? 'Not valid.';
    default:
      return 'Not valid.';
  }
}

function sized(origin: string, how: 'at most' | 'at least', limit: number): string {
  const figure = limit.toLocaleString('en-US');
  const one = limit === 1;
  if (origin === 'string') return `have ${how} ${figure} ${one ? 'character' : 'characters'}.`;
  if (origin === 'array' || origin === 'set') return `have ${how} ${figure} ${one ? 'entry' : 'entries'}.`;
  return `be ${how} ${figure}.`;
}
