import { expect, it } from 'vitest';
import { linkOf } from './notification-links.ts';

it('leads from low stock to the product, and to the list of products where none is named', () => {
  const id = '0192f3a4-0000-7000-8000-000000000001';
  expect(linkOf({ kind: 'low_serials', object_id: id }, false)).toMatchObject({
    to: '/dashboard/products/$productId',
    params: { productId: id },
  });
  expect(linkOf({ kind: 'low_serials', object_id: null }, false)).toEqual({ to: '/products' });
});

it('leads a reseller from low stock to what the reseller sells, with or without a product', () => {
  expect(linkOf({ kind: 'low_serials', object_id: 'p' }, true)).toEqual({ to: '/reseller/products' });
  expect(linkOf({ kind: 'low_serials', object_id: null }, true)).toEqual({ to: '/reseller/products' });
});

it('leads from an import to its report', () => {
  expect(linkOf({ kind: 'import', object_id: 'i' }, false)).toEqual({
    to: '/dashboard/imports/$importId',
    params: { importId: 'i' },
  });
  expect(linkOf({ kind: 'import', object_id: null }, false)).toEqual({ to: '/dashboard/imports' });
});
