import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cliSuite, product, serial } from '@tonerow/test-support/cli-suite.ts';
import { describe, expect, it } from 'vitest';

const { fake, home, run } = cliSuite();

describe('output', () => {
  it('is a table for people, JSON on request, and chosen fields of it', async () => {
    fake.answers = { 'GET /api/products': [200, [product]] };
    const human = await run(['products', 'list']);
    expect(human.code).toBe(0);
    expect(human.out).toMatch(
      /NAME +STATE +PRICE +SERIALS +REDEEMED +REVENUE +ID\nReverb +submitted +\$49.00 +3 +2 +\$98.00 +01900000\S+\n/,
    );
    expect(human.out).not.toContain('\u001b');
    expect(JSON.parse((await run(['products', 'list', '--json'])).out)).toEqual([product]);
    expect(JSON.parse((await run(['products', 'list', '--fields', 'id,name'])).out)).toEqual([
      { id: product.id, name: 'Reverb' },
    ]);
    expect(fake.seen[0]?.authorization).toBe('Bearer tnr_pat_x');
  });

  it('names the fields for a word after --json that can be nothing else', async () => {
    for (const line of [
      ['products', 'list'],
      ['shops', 'list'],
    ]) {
      const { code, err } = await run([...line, '--json', 'nope']);
      expect([code, err]).toEqual([64, (await run([...line, '--json=nope'])).err]);
      expect(JSON.parse(err).message).toMatch(/^Unknown field "nope"\. The fields are: .*\bname\b/);
    }
  });

  it('keeps talk on stderr, and drops it when quiet', async () => {
    fake.answers = {
      'POST /api/developer/plugin-keys': [201, { ok: true, plaintext: 'tnr_plg_1', key: { id: 'k', label: 'Mine' } }],
    };
    const made = await run(['keys', 'create', 'Mine']);
    expect([made.out, made.err.includes('keys reveal k')]).toEqual(['tnr_plg_1\n', true]);
    expect((await run(['keys', 'create', '--quiet'])).err).toBe('');
  });

  it('lets no control characters of a name reach the terminal', async () => {
    fake.answers = { 'GET /api/products': [200, [{ ...product, name: 'Re\u001b[2Jverb' }]] };
    expect((await run(['products', 'list'])).out).toContain('Re[2Jverb');
  });
});

describe('--json with names', () => {
  it('chooses fields as gh does, and takes no argument for them', async () => {
    fake.answers = {
      'GET /api/products': [200, [product]],
      [`GET /api/products/${product.id}`]: [200, product],
    };
    const both = [{ id: product.id, name: 'Reverb' }];
    for (const line of [
      ['products', 'list', '--json', 'id,name'],
      ['products', 'list', '--json=id,name'],
      ['products', 'list', '--limit', '5', '--json', 'id,name', '--quiet'],
    ])
      expect(JSON.parse((await run(line)).out), line.join(' ')).toEqual(both);
    const one = await run(['products', 'get', 'Reverb', '--json', 'name']);
    expect(JSON.parse(one.out)).toEqual({ name: 'Reverb' });
    // the word is the product that the command needs
    expect((await run(['products', 'get', '--json', 'name'])).err).toContain('You have no product named \\"name\\"');
    expect((await run(['products', 'list', '--json', 'nonsense'])).code).toBe(64);
  });

  it('is heeded by what otherwise prints a file, and by what writes one', async () => {
    const row = serial('A-1');
    fake.answers = {
      'GET /api/serials': [200, { rows: [row], total: 1, total_exact: true, next_cursor: null }],
      'GET /api/products': [200, [product]],
      'GET /api/imports/demo/available': [200, 'Serial,Product\n'],
    };
    expect(JSON.parse((await run(['serials', 'export', 'available', '--json', 'code'])).out)).toEqual([
      { code: 'A-1' },
    ]);
    expect(JSON.parse((await run(['products', 'export', '--json=name'])).out)).toEqual([{ name: 'Reverb' }]);
    const demo = await run(['serials', 'demo', 'available', '--json']);
    expect([demo.code, demo.out, JSON.parse(demo.err).message]).toEqual([
      64,
      '',
      expect.stringContaining('--out FILE'),
    ]);
    const file = path.join(home, 'demo.csv');
    const written = await run(['serials', 'demo', 'available', '--json', '--out', file]);
    expect(JSON.parse(written.out)).toEqual({ file, bytes: 15 });
    const both = await run(['sales', 'transactions', '--csv', '--json']);
    expect([both.code, both.err]).toEqual([64, expect.stringContaining('exclude each other')]);
  });

  it('goes with a template, which is rendered row by row', async () => {
    fake.answers = { 'GET /api/products': [200, [product, { ...product, name: 'Delay' }]] };
    const template = '{{range .}}{{.name}} {{.price}}{{"\\n"}}{{end}}';
    expect((await run(['products', 'list', '-t', template])).out).toBe('Reverb 49\nDelay 49\n');
    const wrong = await run(['products', 'list', '--template', '{{range .}}']);
    expect([wrong.code, fake.seen.length, JSON.parse(wrong.err).message]).toEqual([
      64,
      1,
      '--template is not valid: {{range}} has no {{end}}.',
    ]);
    expect((await run(['products', 'list', '--jq', '.', '-t', '{{.}}'])).code).toBe(64);
  });
});

it('reads a list in pages of the size that is wanted, and counts it only for a program that needs it whole', async () => {
  fake.answers = {
    'GET /api/serials': [200, { rows: [serial('A-1')], total: 60_000, total_exact: true, next_cursor: null }],
  };
  await run(['serials', 'list', '--limit', '20']);
  await run(['serials', 'list', '--all', '--jq', '.[].code']);
  const whole = await run(['serials', 'list', '--all', '--jq', 'sort_by(.code)']);
  expect(fake.seen.map(({ url }) => url.split('?')[1])).toEqual([
    'limit=21&count=false',
    'limit=1000&count=false',
    'limit=1000',
  ]);
  expect([whole.code, whole.out, JSON.parse(whole.err).message]).toEqual([
    64,
    '',
    expect.stringContaining('more than 50,000'),
  ]);
  expect((await run(['serials', 'list', '--limit', '50001', '--jq', 'sort_by(.code)'])).code).toBe(64);
  expect(fake.seen).toHaveLength(3);
});

describe('files', () => {
  const csv = `Serial,Product\r\n${Array.from({ length: 60_000 }, (_, i) => `CODE-${i},Reverb\r\n`).join('')}`;
  const batch = () => {
    fake.answers = {
      [`GET /api/products/${product.id}`]: [200, product],
      'POST /api/serials/generate': [201, csv, { 'x-total-count': '60000', 'x-batch-id': 'b' }],
    };
  };

  it('hold the whole stream', async () => {
    batch();
    const out = path.join(home, 'serials.csv');
    const answer = await run(['serials', 'generate', '--product', product.id, '--quantity', '60000', '--out', out]);
    expect([answer.code, answer.out]).toEqual([0, '']);
    expect(await readFile(out, 'utf8')).toBe(csv);
    expect(answer.err).toContain(`60000 serials are in ${out}.`);
  });

  it('can be standard output', async () => {
    batch();
    expect((await run(['serials', 'generate', '--product', product.id, '--quantity', '60000'])).out).toBe(csv);
  });

  it('are not left half written, nor written where they cannot be', async () => {
    batch();
    await writeFile(path.join(home, 'keep.csv'), 'old');
    const controller = new AbortController();
    controller.abort(new DOMException('Canceled.', 'AbortError'));
    const cancelled = await run(
      ['serials', 'generate', '--product', product.id, '--quantity', '60000', '--out', path.join(home, 'keep.csv')],
      { signal: controller.signal },
    );
    expect([cancelled.code, await readFile(path.join(home, 'keep.csv'), 'utf8')]).toEqual([2, 'old']);
    const nowhere = await run([
      'serials',
      'generate',
      '--product',
      product.id,
      '--quantity',
      '60000',
      '--out',
      '/nowhere/x.csv',
    ]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.err).toContain('cannot be written');
    expect(fake.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
