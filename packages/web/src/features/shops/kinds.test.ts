import { expect, it } from 'vitest';
import { kinds, kindWords } from './kinds.ts';
import { apiWords, needsApi } from './list/api-words.ts';

it.each(kinds)('%s shows where its address goes, and its secret once', (kind) => {
  const { steps, secret } = kindWords[kind];
  expect(steps.filter(({ paste }) => paste === 'address')).toHaveLength(1);
  expect(steps.filter(({ paste }) => paste === 'secret')).toHaveLength(secret === 'ours' ? 1 : 0);
  expect(steps.filter(({ takes }) => takes === 'secret')).toHaveLength(secret === 'theirs' ? 1 : 0);
});

it('whatever can’t work without the shop’s API has the fields that open it', () => {
  for (const kind of kinds.filter(needsApi)) expect(Object.keys(apiWords[kind]?.fields ?? {})).not.toEqual([]);
});
