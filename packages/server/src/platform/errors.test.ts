import { expect, it } from 'vitest';
import { violatedConstraint } from './errors.ts';

const NAME = 'products_developer_name_unique';
const told = (name: string) => `duplicate key value violates unique constraint "${name}"`;

it.each([
  ['the database tells it', { code: '23505', constraint: NAME, message: told(NAME) }, NAME],
  ['a library has wrapped it', { message: 'x', cause: { code: '23505', constraint: NAME } }, NAME],
  ['a shard has it', { code: '23505', constraint: `${NAME}_102018` }, NAME],
  ['only the message of a shard tells it', { code: '23505', message: told(`${NAME}_102018`) }, NAME],
  ['it ends with a short number', { code: '23505', constraint: 'products_v2_unique_12' }, 'products_v2_unique_12'],
  ['something else has failed', { code: '42P01', message: 'relation "x" of constraint "y" does not exist' }, undefined],
  ['it is no error of a database', new Error('no constraint "x"'), undefined],
])('names the violated constraint when %s', (_when, error, name) => {
  expect(violatedConstraint(error)).toBe(name);
});
