import { readFileSync } from 'node:fs';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { type FakeAnswer, startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from './index.ts';

let fake: Awaited<ReturnType<typeof startFakeServer>>;
beforeAll(async () => {
  fake = await startFakeServer();
});
afterAll(() => fake.close());
beforeEach(() => fake.reset());

const id = '01900000-0000-7000-8000-000000000001';
const run = (line: string[], answer?: string) =>
  runCommand(line, {
    env: { HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere', TONEROW_URL: fake.url, TONEROW_TOKEN: 'tnr_pat_x' },
    ...(answer === undefined ? {} : { person: {}, stdin: answer }),
  });

const rows = (row: object) => ({ rows: [{ id, ...row }], total: 1, next_cursor: null });
const product = { id, name: 'Echo', is_draft: true };
const version = { id, name: '1.1.0', files: [], is_current: false };
/** The answers that each command reads with --dry-run, and the line that it shows. */
const removals: [line: string, found: Record<string, unknown>, would: string][] = [
  ['products publish Echo', { '/api/products': [product] }, 'Echo would be submitted.'],
  [
    'products delete-version Echo 1.1.0',
    { '/api/products': [product], [`/api/products/${id}/file-versions`]: [version] },
    'Version 1.1.0 would be deleted.',
  ],
  [
    'products use-version Echo 1.1.0',
    { '/api/products': [product], [`/api/products/${id}/file-versions`]: [version] },
    'Customers would get the files of version 1.1.0.',
  ],
  [
    `keys delete ${id}`,
    { '/api/developer/plugin-keys': { keys: [{ id, label: 'One', lastUsedAt: null }] } },
    'The key One would be deleted, last used never.',
  ],
  [
    `webhooks delete ${id}`,
    { [`/api/webhooks/${id}`]: { id, url: 'https://a.example', waiting: 3 } },
    'The webhook to https://a.example would be deleted, with 3 waiting events.',
  ],
  [
    `shops delete ${id}`,
    { [`/api/shops/${id}`]: { id, name: 'Fast', waiting: 1 } },
    'The shop Fast would be deleted, with 1 order waiting.',
  ],
  [
    `shops unmap ${id} GLIDE`,
    { [`/api/shops/${id}/items`]: rows({ key: 'GLIDE', product_ids: [id] }) },
    `GLIDE would no longer be ${id}.`,
  ],
  [
    'trust remove release',
    { '/api/developer/trusts': [{ id, name: 'release' }], [`/api/developer/trusts/${id}`]: { id, name: 'release' } },
    'The trust release would be deleted, with the tokens that it issued.',
  ],
  [
    `tokens delete ${id}`,
    { '/api/account/tokens': [{ id, name: 'ci', last_used_at: '2026-03-14' }] },
    'The access token ci would be deleted, last used 2026-03-14.',
  ],
  [
    'domains remove',
    { '/api/developer/branding/private': { custom_domain: 'shop.example' } },
    'Nothing would be served at shop.example any more.',
  ],
  [
    `files delete ${id}`,
    { [`/api/files/${id}`]: { id, name: 'Echo.dmg' } },
    'Echo.dmg would be deleted, unless a product uses it.',
  ],
  [
    'branding reset',
    { '/api/developer/branding/private': { color: '#ff0000' } },
    'All that “tonerow branding get” shows would be as it was at first.',
  ],
  [
    'billing remove-card',
    { '/api/billing/payment-method': { card: { last4: '4242' } } },
    'The card ending in 4242 would be removed.',
  ],
  ['views delete Limit', { '/api/views': { views: [{ id, name: 'Limit' }] } }, 'The view Limit would be deleted.'],
  [
    `account revoke-session ${id}`,
    { '/api/account/sessions': [{ id, device: 'Firefox', machine: null }] },
    'The session on Firefox would be revoked.',
  ],
  [`imports discard ${id}`, { [`/api/imports/${id}`]: { id, file_name: 'a.csv' } }, 'a.csv would be discarded.'],
  [
    `resellers end ${id}`,
    { [`/api/reseller/developer/resellers/${id}`]: { id, company_name: 'Plugin Shop' } },
    'The partnership with Plugin Shop would end.',
  ],
  [
    `resellers pause ${id}`,
    { [`/api/reseller/developer/resellers/${id}`]: { id, company_name: 'Plugin Shop' } },
    'The partnership with Plugin Shop would be paused.',
  ],
  [
    `invites withdraw ${id}`,
    { '/api/reseller/invites/sent': rows({ email: 'a@example.com', state: 'pending' }) },
    'The invitation to a@example.com would be withdrawn.',
  ],
  [
    `deals withdraw ${id}`,
    { '/api/reseller/deal-requests': rows({ product_name: 'Echo', status: 'pending' }) },
    'The request for Echo would be withdrawn.',
  ],
  [
    'shops open Fast --forget',
    {
      '/api/shops': { shops: [{ id, name: 'Fast' }] },
      [`/api/shops/${id}`]: { id, name: 'Fast', has_credentials: true },
    },
    'What opens the API of Fast would be forgotten.',
  ],
  [
    'products unlock Echo --withdraw',
    { '/api/products': [product], [`/api/products/${id}/unlock`]: { product_name: 'Echo', published_at: null } },
    'The unlock of Echo would be withdrawn.',
  ],
];

describe.each(removals)('%s', (line, found, would) => {
  const answersOf = (body: (path: string) => unknown): Record<string, FakeAnswer> =>
    Object.fromEntries(
      Object.keys(found)
        .filter((path) => body(path) !== undefined)
        .map((path) => [`GET ${path}`, [200, body(path)]]),
    );
  const answers = () => answersOf((path) => found[path]);
  const words = line.split(' ');

  it('--dry-run reads what is there, and shows what would be done', async () => {
    fake.answers = answers();
    expect(await run([...words, '--dry-run'])).toEqual({ code: 0, out: `Dry run: ${would}\n`, err: '' });
    const json = await run([...words, '--dry-run', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ dry_run: true });
    expect((await run([...words, '--dry-run', '--json=dry_run'])).code).toBe(0);
    expect(fake.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('--dry-run of what is not there fails as doing it does', async () => {
    fake.answers = answersOf((path) => emptied(found[path]));
    const { code, out, err } = await run([...words, '--dry-run', '--json']);
    expect([code, out, JSON.parse(err)]).toEqual([1, '', expect.objectContaining({ code: 'not_found' })]);
  });

  it.skipIf(line.startsWith('products publish'))('asks first, and where nobody can be asked does nothing', async () => {
    fake.answers = answers();
    expect(await run(words)).toMatchObject({ code: 64, err: 'No terminal to prompt on: pass --yes.\n' });
    expect(await run(words, 'n\n')).toMatchObject({ code: 2, err: expect.stringContaining(' [y/N] ') });
    expect(fake.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

it.each([
  ['invites withdraw', '/api/reseller/invites/sent', { email: 'a@example.com', state: 'accepted' }],
  ['deals withdraw', '/api/reseller/deal-requests', { product_name: 'Echo', status: 'declined' }],
  ['products unlock --withdraw', `/api/products/${id}/unlock`, { published_at: '2026-03-14' }],
])('%s --dry-run of what can no longer be withdrawn fails as doing it does', async (line, path, row) => {
  fake.answers = {
    [`GET ${path}`]: [200, path.endsWith('unlock') ? row : rows(row)],
    [`GET /api/products/${id}`]: [200, product],
  };
  const { code, err } = await run([...line.split(' '), id, '--dry-run', '--json']);
  expect([code, JSON.parse(err)]).toEqual([1, expect.objectContaining({ code: 'conflict' })]);
});

/** A list without rows; undefined for one thing. */
function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return [];
  if ('custom_domain' in (body as object)) return { custom_domain: null };
  const list = Object.entries(body as object).find(([, value]) => Array.isArray(value))?.[0];
  return list === undefined ? undefined : { ...(body as object), [list]: [] };
}

const ASKS_OTHERWISE: Record<string, string> = {
  'account delete': 'asks for the email address',
  'export everything': 'deletes the archive that it had made',
  'webhooks listen': 'deletes the listener that it is',
};

it('every command that deletes something asks first, and has a dry run', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../../sdk/openapi.json', import.meta.url), 'utf8'));
  const deletes = new Set(Object.values(paths as object).map((path) => path.delete?.operationId));
  const own = commands.filter(({ operations }) => operations.some((operation) => deletes.has(operation)));
  const without = (option: string) => own.filter(({ options }) => !(option in options)).map(({ path }) => path);
  expect(without('yes').sort()).toEqual(Object.keys(ASKS_OTHERWISE));
  expect(without('dryRun').filter((path) => !(path in ASKS_OTHERWISE))).toEqual([]);
});
