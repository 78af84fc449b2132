import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sentenceOf } from '#platform/errors.ts';
import { plainFieldMessages } from './field-messages.ts';

plainFieldMessages();
const of = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

describe('the message for an invalid field', () => {
  it.each([
    [z.string(), undefined, 'Required.'],
    [z.string(), 5, 'Must be text.'],
    [z.string().min(1), '', 'Required.'],
    [z.string().min(4), 'abc', 'Must have at least 4 characters.'],
    [z.string().max(1), 'abc', 'Must have at most 1 character.'],
    [z.number(), 'x', 'Must be a number.'],
    [z.int(), 1.5, 'Must be a whole number.'],
    [z.number().max(1_000_000), 1_000_001, 'Must be at most 1,000,000.'],
    [z.number().min(1), 0, 'Must be at least 1.'],
    [z.boolean(), 'yes', 'Must be true or false.'],
    [z.array(z.string()), {}, 'Must be a list.'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'Must have at most 2 entries.'],
    [z.object({}), [], 'Must be an object.'],
    [z.enum(['a', 'b']), 'c', 'Must be one of a, b.'],
    [z.literal('x'), 'y', 'Must be x.'],
    [z.email(), 'x', 'Must be an email address.'],
    [z.uuid(), 'x', 'Must be an id.'],
    [z.iso.datetime(), 'x', 'Must be a date and time such as 2026-01-31T12:00:00Z.'],
    [z.string().regex(/x/), 'y', 'Not valid.'],
    [z.strictObject({}), { a: 1 }, 'Unknown field.'],
    [z.literal('').or(z.email('Enter an email address.')), 'x', 'Enter an email address.'],
    [z.literal(1).or(z.literal(2)), 3, 'Not valid.'],
    [z.string('Please enter both first and last name'), undefined, 'Please enter both first and last name'],
  ])('%#: %j', (schema, value, message) => {
    expect(of(schema, value)).toBe(message);
  });

  it('follows the name of the field, unless the schema has its own message', () => {
    expect(sentenceOf('quantity', 'Must be at least 1.')).toBe('quantity must be at least 1.');
    expect(sentenceOf('quantity', 'Required.')).toBe('quantity is required.');
    expect(sentenceOf('colour', 'Unknown field.')).toBe('colour is not a known field.');
    expect(sentenceOf('file_urls.0.url', 'Not valid.')).toBe('file_urls.0.url is not valid.');
    expect(sentenceOf('first_name', 'Please enter both first and last name')).toBe(
      'Please enter both first and last name',
    );
  });
});
