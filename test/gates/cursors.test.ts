import { readFileSync } from 'node:fs';
import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

interface Operation {
  operationId: string;
  parameters?: { name: string }[];
  'x-access': { role?: 'developer' | 'reseller'; as: string };
}
const contract = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as {
  paths: Record<string, { get?: Operation }>;
};
const ID = '01900000-0000-7000-8000-000000000000';
const lists = Object.entries(contract.paths).flatMap(([path, { get }]) =>
  get?.['x-access'].as === 'user' && get.parameters?.some(({ name }) => name === 'cursor')
    ? [{ ...get, path: path.replace(/\{\w+\}/, ID) }]
    : [],
);

/** Values that no page ends with, in the place of a moment, a day, a name, a number or an id. */
const wrong = ['1', '', 'a\0', '\ud800', '9'.repeat(30), '0000-01-01', '2026-02-30', '2026-02-30T00:00:00.000Z'];
const cursors = wrong.flatMap((part) => [
  [part],
  [part, ID],
  [part, 'a', ID],
  ['-created_at', part, ID],
  ['name', part, ID],
  ['2026-01-01', part, 'a', ID, part],
]);

let server: SharedServer;
let people: Record<'developer' | 'reseller', Person>;
beforeAll(async () => {
  server = await sharedServer();
  people = { developer: await signUp(server), reseller: await signUp(server, 'reseller') };
});

describe('a cursor that somebody has written', () => {
  it.each(lists.map((list) => [list.operationId, list] as const))('is refused or read by %s', async (_, list) => {
    const { token } = people[list['x-access'].role ?? 'developer'];
    const answers = await Promise.all(
      cursors.map(async (parts) => {
        const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
        const { status } = await call(server, 'GET', `${list.path}?cursor=${cursor}`, { token });
        return { parts, status };
      }),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.some(({ status }) => status === 400 || status === 404)).toBe(true);
  });
});
