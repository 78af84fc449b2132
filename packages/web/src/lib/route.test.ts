import { getLicenseKeys, importCustomers, uploadFilePart } from '@tonerow/sdk/routes';
import { expect, it } from 'vitest';
import { addressOf } from './route.ts';

it('fills in the parameters of a path, whatever they contain', () => {
  expect(addressOf(uploadFilePart, { id: 'a/b?c' })).toBe('/api/files/a%2Fb%3Fc');
});

it('adds a query only when there is one', () => {
  expect(addressOf(importCustomers)).toBe('/api/customers/import');
  expect(addressOf(importCustomers, {}, { dry_run: true })).toBe('/api/customers/import?dry_run=true');
  expect(addressOf(getLicenseKeys, {}, { dev: 'a&b' })).toBe('/api/license/v1/jwks?dev=a%26b');
});
