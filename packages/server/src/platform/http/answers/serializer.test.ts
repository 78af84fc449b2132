import { ResponseSerializationError } from 'fastify-type-provider-zod';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Id, Time } from '../schemas.ts';
import { strictSerializer, typedSerializer } from './serializer.ts';

const Row = z.object({ id: Id, at: Time.nullable(), n: z.int().optional() });
const routeOf = (schema: z.ZodType) =>
  ({ schema, method: 'GET', url: '/rows' }) as unknown as Parameters<typeof typedSerializer>[0];
const write = typedSerializer(routeOf(z.object({ rows: z.array(Row) })));
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

it('is held to what whole schemas write, in tests', () => {
  const whole = (schema: z.ZodType, data: unknown) => strictSerializer(routeOf(schema))(data);
  expect(whole(Row, { id, at: null })).toBe(JSON.stringify({ id, at: null }));
  expect(() => whole(Row, { id: 'old', at: null })).toThrow(ResponseSerializationError);
  const otherwise = 'GET /rows is answered otherwise without checks';
  expect(() => whole(z.object({ name: z.string().trim() }), { name: ' a' })).toThrow(otherwise);
  const either = z.union([z.object({ n: z.number().min(9) }), z.object({ n: z.number(), more: z.string() })]);
  expect(() => whole(either, { n: 1, more: 'x' })).toThrow(otherwise);
});
