import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../packages/cli/src/define/operations.ts';
import { type Contract, routesOf, scopesOf } from '../../packages/sdk/generator/contract.ts';
import { places } from '../../packages/sdk/generator/places.ts';
import { resourcesFile } from '../../packages/sdk/generator/resources.ts';

const contract = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as Contract;
const declared = routesOf(contract).map(({ operationId }) => operationId);

it('has a terminal command for every operation of the API, and no other', () => {
  const commanded = new Set(Object.values(operations as Record<string, readonly string[]>).flat());
  expect([...commanded].sort()).toEqual([...new Set(declared)].sort());
});

it('has one place on the client for every operation, and no other', () => {
  const placed = Object.values(places).flatMap((methods) => Object.values(methods));
  expect(placed.sort()).toEqual([...declared].sort());
});

it('generates no client that lacks an operation', () => {
  const planted = { ...contract.paths, '/api/planted': { get: { operationId: 'getPlanted', responses: {} } } };
  expect(() => resourcesFile({ ...contract, paths: planted })).toThrow('getPlanted has no place');
});

it('knows which scopes have a use for each role', () => {
  const [developer, reseller] = [scopesOf(contract, 'developer'), scopesOf(contract, 'reseller')];
  expect(developer).toEqual(expect.arrayContaining(['account:read', 'keys:write', 'resellers:write']));
  expect(reseller).toEqual(expect.arrayContaining(['account:read', 'stock:write', 'sales:read']));
  expect([developer.includes('stock:write'), reseller.includes('keys:write')]).toEqual([false, false]);
});
