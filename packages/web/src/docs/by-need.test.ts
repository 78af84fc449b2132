import { expect, it } from 'vitest';
import { byNeed } from './by-need.ts';

it('begins with the list and how to make one, and ends with what takes something away', () => {
  const paths = [
    'DELETE /api/products/{id}',
    'POST /api/products/{id}/publish',
    'PUT /api/products/{id}',
    'GET /api/products/{id}',
    'GET /api/products/choices',
    'POST /api/products',
    'GET /api/products',
    'PUT /api/serials/revoke/{id}',
    'POST /api/account/delete',
  ];
  const entries = paths.map((each) => ({ method: each.split(' ')[0] as string, path: each.split(' ')[1] as string }));
  expect(entries.sort(byNeed).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/products',
    'POST /api/products',
    'GET /api/products/choices',
    'GET /api/products/{id}',
    'PUT /api/products/{id}',
    'POST /api/products/{id}/publish',
    'PUT /api/serials/revoke/{id}',
    'POST /api/account/delete',
    'DELETE /api/products/{id}',
  ]);
});
