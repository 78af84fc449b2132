import { ResponseSerializationError } from 'fastify-type-provider-zod';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Id, Time } from '../schemas.ts';
import { typedSerializer } from './serializer.ts';

const Row = z.object({ id: Id, at: Time.nullable(), n: z.int().optional() });
const write = typedSerializer({
  schema: z.object({ rows: z.array(Row) }),
  method: 'GET',
  url: '/rows',
} as unknown as Parameters<typeof typedSerializer>[0]);
const id = '01900000-0000-7000-8000-000000000001';

it('writes moments as text, and nothing that is not declared', () => {
  const rows = [
    { id, at: new Date('2026-03-14T09:00:00Z'), secret: 'x' },
    { id, at: null, n: 2 },
  ];
  expect(JSON.parse(write({ rows, more: 1 }))).toEqual({
    rows: [
      { id, at: '2026-03-14T09:00:00.000Z' },
      { id, at: null, n: 2 },
    ],
  });
});

it('does not look at formats again', () => {
  expect(JSON.parse(write({ rows: [{ id: 'old', at: null }] }))).toEqual({ rows: [{ id: 'old', at: null }] });
});

it.each([
  ['another type', { id: 7, at: null }],
  ['nothing', { id }],
  ['no moment', { id, at: new Date(Number.NaN) }],
])('refuses %s', (_, row) => {
  expect(() => write({ rows: [row] })).toThrow(ResponseSerializationError);
});
