import type { OperationClient } from '@tonerow/sdk/operations';
import { expect, it } from 'vitest';
import type { Context } from '#run/context.ts';
import { checkOfImport } from './import-steps.ts';

const context = { globals: { quiet: true }, io: {}, call: {}, note: () => undefined } as unknown as Context;

/** A server that answers so, one call after the other. */
const serverWith = (...answers: object[]) => {
  const next = async () => answers.shift();
  return { checkImport: next, getImport: next } as unknown as OperationClient;
};

it('takes the check of a small file from the answer', async () => {
  expect(await checkOfImport(context, serverWith({ state: 'open', lines: 2 }), 'i')).toMatchObject({ lines: 2 });
});

it('waits for the check of a large file', async () => {
  const server = serverWith({ state: 'checking' }, { state: 'checking', lines: 5 }, { state: 'open', error: null });
  expect(await checkOfImport(context, server, 'i')).toEqual({ state: 'open', error: null });
});

it('fails with what is wrong with a large file', async () => {
  const server = serverWith({ state: 'checking' }, { state: 'open', error: 'The file was cut off.' });
  await expect(checkOfImport(context, server, 'i')).rejects.toThrow('The file was cut off.');
});
