import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operations } from '../../packages/cli/src/operations.ts';

interface Operation {
  operationId?: string;
}

it('has a terminal command for every operation of the API, and no other', () => {
  const document = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const declared = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => operation.operationId);
  const commanded = new Set(Object.values(operations as Record<string, readonly string[]>).flat());
  expect([...commanded].sort()).toEqual([...new Set(declared)].sort());
});
