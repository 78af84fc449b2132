import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '../../packages/server/src/platform/clock.ts';

let server: TestServer;
let home: string;
let pair: Partners;
let codes: string[];
const clock = new TestClock('2026-03-05T09:00:00Z');
const { close, signIn } = payoutScene(() => ({ server, clock }));

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-figures-'));
  server = await startServer({ overrides: { clock } });
  pair = await makePartners(server, 12.5);
  const { developer, partnershipId } = pair;
  const product = await makeProduct(server, developer.token, { name: '=Prism, Delay', price: 40 });
  const given = { reseller_id: partnershipId, quantity: 6, batch_tag: 'spring' };
  codes = (await makeSerials(server, developer.token, product.id, given)).map(({ code }) => code);
});
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

const tonerow = (person: Person, ...line: string[]) =>
  runCommand(line, {
    env: { XDG_CONFIG_HOME: home, HOME: home, TONEROW_URL: server.url, TONEROW_TOKEN: person.token },
  });
const done = async (person: Person, ...line: string[]) => {
  const { code, out, err } = await tonerow(person, ...line);
  expect(code, err).toBe(0);
  return out;
};
const json = async (person: Person, ...line: string[]) => JSON.parse(await done(person, ...line, '--json'));
const refused = async (person: Person, ...line: string[]) => {
  const { code, out, err } = await tonerow(person, ...line);
  expect([code === 0, out]).toEqual([false, '']);
  return { code, err };
};
const rowsOf = (csv: string) => csv.trimEnd().split(/\r?\n/);

describe('before anything was sold', () => {
  it('every list and figure is empty, and not an error', async () => {
    const shop = await signUpVerified(server, 'reseller');
    const maker = await signUpVerified(server);
    for (const [person, line, none] of [
      [shop, 'sales transactions', 'No transactions found.\n'],
      [shop, 'sales customers', 'No customers found.\n'],
      [shop, 'sales history', 'No commission yet.\n'],
      [shop, 'sales graph --by-developer', 'No redemptions in this period.\n'],
      [shop, 'draws list', 'No codes handed out yet.\n'],
      [shop, 'stock downloads', 'No files downloaded yet.\n'],
      [shop, 'deals requests', 'No requests found\n'],
      [shop, 'payouts list', 'No payout records found.\n'],
      [maker, 'payouts owed', 'No reseller partners found yet.\n'],
      [maker, 'resellers downloads', 'No files downloaded yet.\n'],
    ] as const) {
      expect(await done(person, ...line.split(' ')), line).toBe(none);
    }
    expect(await done(shop, 'sales', 'dashboard')).toMatch(/Total redemptions\s+0\n/);
    expect(await json(shop, 'sales', 'transactions')).toEqual([]);
  });
});

describe('codes in circulation', () => {
  it('are drawn, listed, exported and returned by the reseller', async () => {
    const { reseller } = pair;
    const drawn = (await done(reseller, 'draw', '=Prism, Delay', '--reference', '=7', '--quantity', '3')).trim();
    expect(drawn.split('\n')).toEqual(codes.slice(0, 3));
    expect(await done(reseller, 'draws', 'list')).toMatch(/=7\s+=Prism, Delay\s+Row Audio\s+–\s+3\s+3\s+0\s+0\s+0/);
    expect(await json(reseller, 'draws', 'list', '--state', 'redeemed')).toEqual([]);
    expect(rowsOf(await done(reseller, 'draws', 'list', '--out', '-'))).toHaveLength(4);
    const file = path.join(home, 'draws.csv');
    await done(reseller, 'draws', 'list', '--out', file);
    expect(await readFile(file, 'utf8')).toContain(`'=7,2026-03-05T09:00:00.000Z,Row Audio,"'=Prism, Delay",,`);

    const [kept, back] = codes as [string, string];
    await redeem(server, kept, 'nina@example.com', pair.developer.id);
    const one = await done(reseller, 'draws', 'return', '=7', '--code', back);
    expect(one).toMatch(new RegExp(`${back}\\s+returned`));
    expect(await json(reseller, 'draws', 'return', '=7', '--code', kept)).toMatchObject({
      returned: [],
      not_returned: [{ code: kept, state: 'redeemed' }],
    });
    expect((await refused(reseller, 'draws', 'return', 'nothing')).err).toContain('Draw not found');
    expect((await refused(reseller, 'draw', '=Prism, Delay', '--reference', 'much', '--quantity', '99')).err).toContain(
      'Only 4 codes of "=Prism, Delay" are left.',
    );
    expect((await refused(reseller, 'draw', '=Prism, Delay', '--reference', '=7', '--quantity', '2')).err).toContain(
      'belongs to another draw',
    );
  });

  it('are downloaded as a file, on record for both sides, and counted by batch', async () => {
    const { developer, reseller } = pair;
    const file = path.join(home, 'stock.csv');
    await done(reseller, 'stock', 'download', '=Prism, Delay', '--out', file);
    expect(rowsOf(await readFile(file, 'utf8'))).toHaveLength(5);
    expect(await done(reseller, 'stock', 'downloads')).toMatch(/Row Audio\s+=Prism, Delay\s+4\s+spring/);
    const csv = await done(reseller, 'stock', 'downloads', '--out', '-');
    expect(rowsOf(csv)[1]).toMatch(/,Row Audio,"'=Prism, Delay",spring,4$/);
    expect(await done(developer, 'resellers', 'downloads', '--reseller', 'row audio')).toMatch(
      /Row Audio\s+=Prism, Delay\s+4/,
    );
    expect(await done(developer, 'resellers', 'circulation', 'Row Audio')).toMatch(
      /spring\s+6\s+4\s+1\s+1\s+0\s+0\s+0%\s+4/,
    );
    expect(await json(reseller, 'sales', 'dashboard')).toMatchObject({
      stats: { totalRedemptions: 1, availableSerials: 4, handedOutSerials: 1, serialsInFiles: 4 },
    });
    const shown = await done(reseller, 'sales', 'dashboard');
    expect(shown).toMatch(/Sold, not redeemed\s+1/);
    expect(shown).toMatch(/=Prism, Delay\s+Row Audio\s+12\.5%\s+6\s+1\s+1\s+4\s+0\s+4/);
  });
});

describe('sales', () => {
  it('are refunded by the developer, whole or in part, and that is taken back', async () => {
    const { developer, reseller } = pair;
    const sold = codes[0] as string;
    const part = await done(developer, 'refund', sold, '--amount', '10', '--reason', '=late');
    expect(part).toMatch(/Amount\s+-\$10\.00\nCommission\s+-\$1\.25[\s\S]*Can still be refunded\s+\$30\.00/);
    expect((await refused(developer, 'refund', sold, '--amount', '31', '--reason', 'x')).err).toContain('30');
    expect((await refused(developer, 'refund', sold, '--amount', 'none', '--reason', 'x')).code).toBe(64);
    expect((await refused(developer, 'refund', sold, '--undo', '--revoke', '--reason', 'x')).code).toBe(64);
    expect((await refused(developer, 'refund', codes[5] as string, '--reason', 'x')).err).toContain(
      'not been redeemed',
    );
    expect((await refused(reseller, 'refund', sold, '--reason', 'x')).code).not.toBe(0);
    expect(await json(developer, 'refund', sold, '--undo', '--reason', 'Paid again')).toMatchObject({
      kind: 'reinstatement',
      amount: 10,
      commission: 1.25,
      refundable: 40,
    });
    expect(
      await json(developer, 'refund', sold, '--kind', 'chargeback', '--amount', '8', '--reason', 'Bank'),
    ).toMatchObject({ kind: 'chargeback', amount: -8, commission: -1 });
  });

  it('are listed and exported with their refunds, and add up the same everywhere', async () => {
    const { reseller } = pair;
    const table = await done(reseller, 'sales', 'transactions');
    expect(table).toMatch(
      /chargeback\s+nina@example\.com\s+\S+\s+=Prism, Delay\s+Row Audio\s+-\$8\.00\s+-\$1\.00\s+Bank/,
    );
    expect(await json(reseller, 'sales', 'transactions', '--limit', '2')).toHaveLength(2);
    const csv = rowsOf(await done(reseller, 'sales', 'transactions', '--csv'));
    expect(csv).toHaveLength(5);
    expect(csv.join('\n')).toContain("'=late");
    expect(rowsOf(await done(reseller, 'sales', 'transactions', '--csv', '--search', 'nobody'))).toHaveLength(1);
    expect(rowsOf(await done(reseller, 'sales', 'transactions', '--csv', '--kind', '-redemption'))).toHaveLength(4);
    expect(await json(reseller, 'sales', 'transactions', '--kind', 'chargeback')).toMatchObject([{ final_price: -8 }]);
    expect(await done(reseller, 'sales', 'choices')).toMatch(/--developer\s+\S+\s+Row Audio\s+4\n/);
    expect((await refused(reseller, 'sales', 'transactions', '--kind', 'gift')).err).toContain('kind');
    expect(await done(reseller, 'sales', 'customers', '--search', 'nina')).toMatch(
      /nina@example\.com\s+Row Audio\s+=Prism, Delay\s+1/,
    );
    const customers = rowsOf(await done(reseller, 'sales', 'customers', '--csv', '--search', 'nina'));
    expect(customers).toHaveLength(2);
    expect(customers[1]).toContain(`nina@example.com,Row Audio,"'=Prism, Delay",1,`);
    expect(await done(reseller, 'sales', 'history')).toMatch(
      /2026-03\s+Row Audio\s+=Prism, Delay\s+1\s+3\s+12\.5%\s+\$4\.00/,
    );
    expect(rowsOf(await done(reseller, 'sales', 'history', '--csv'))).toHaveLength(2);
    const period = ['--from', '2026-03-01', '--to', '2026-03-31'];
    expect(await done(reseller, 'sales', 'summary', ...period)).toMatch(
      /Period\s+2026-03-01 to 2026-03-31 \(\S+\)\nRedemptions\s+1\nCommission\s+\$4\.00\nTaken back by refunds\s+\$1\.00/,
    );
    expect(await done(reseller, 'sales', 'graph', ...period)).toMatch(/2026-03-05\s+1\s+\$4\.00/);
    expect(await json(reseller, 'sales', 'graph', ...period)).toHaveLength(31);
    expect(await done(reseller, 'sales', 'graph', '--by-developer')).toMatch(/Row Audio\s+1\s+\$4\.00/);
    expect((await refused(reseller, 'sales', 'summary', '--from', '2026-03-01')).err).toContain('--from and --to');
    expect((await refused(reseller, 'sales', 'transactions', '--range', 'ever')).code).not.toBe(0);
    expect((await refused(pair.developer, 'sales', 'dashboard')).err).toContain('This is for resellers.');
  });

  it('are tried at other terms by the developer', async () => {
    const { developer } = pair;
    const tried = await done(developer, 'payouts', 'what-if', 'Row Audio', '--rate', '25', '--price', '30');
    expect(tried).toMatch(/As it was\s+\$40\.00\s+\$5\.00\s+\$35\.00\nWhat if\s+\$30\.00\s+\$7\.50\s+\$22\.50/);
    expect(tried).toMatch(/Difference\s+-\$12\.50\nBreak-even\s+2 redemptions/);
    expect((await refused(developer, 'payouts', 'what-if', 'Nobody')).err).toContain('Nobody');
  });
});

describe('a statement', () => {
  it('is disputed, answered, confirmed, paid in parts and reversed, with the same words on both sides', async () => {
    const { developer, reseller } = pair;
    expect(await done(developer, 'payouts', 'owed')).toMatch(/Row Audio\s+\$0\.00\s+.*\$28\.00\s+12\.5%\s+20%/);
    clock.set('2026-04-01T00:10:00Z');
    await close();
    await signIn(developer);
    await signIn(reseller);
    expect(await done(reseller, 'payouts', 'list', '--status', 'pending')).toMatch(/2026-0001\s+2026-03\s+Row Audio/);
    expect(await json(developer, 'payouts', 'list', '--year', '2025')).toEqual([]);
    expect(await done(reseller, 'payouts', 'dispute', '2026-0001', '--reason', 'One more')).toBe(
      '2026-0001: Pending (disputed), $0.00 of $28.00 paid, $28.00 outstanding.\n',
    );
    expect((await refused(reseller, 'payouts', 'dispute', '2026-0001')).err).toContain('--reason');
    expect((await refused(reseller, 'payouts', 'answer', '2026-0001', '--text', 'x')).code).not.toBe(64);
    await done(developer, 'payouts', 'answer', '2026-0001', '--text', 'That one is in April');
    expect(await done(reseller, 'payouts', 'confirm', '2026-0001')).toContain('Pending (confirmed)');
    const pay = ['payouts', 'pay', '2026-0001', '--amount', '8', '--on', '2026-04-01', '--reference', 'INV-7'];
    expect(await done(developer, ...pay)).toContain('$8.00 of $28.00 paid, $20.00 outstanding.');
    expect((await refused(developer, 'payouts', 'reverse', '2026-0001', 'one', '--reason', 'x')).code).toBe(64);
    expect((await refused(developer, 'payouts', 'reverse', '2026-0001', '9', '--reason', 'x')).err).not.toBe('');
    expect(await done(developer, 'payouts', 'reverse', '2026-0001', '1', '--reason', 'Another shop')).toContain(
      '$0.00 of $28.00 paid',
    );
    expect(await json(developer, 'payouts', 'pay', '2026-0001')).toMatchObject({ label: 'Complete', outstanding: 0 });
    expect((await refused(developer, 'payouts', 'pay', '2026-0009')).err).toContain('There is no statement 2026-0009.');
    const [theirs, ours] = [
      await done(reseller, 'payouts', 'show', '2026-0001'),
      await done(developer, 'payouts', 'show', '2026-0001'),
    ];
    expect(theirs).toBe(ours);
    for (const text of ['One more', 'That one is in April', 'INV-7', 'Another shop', 'Complete (paid)'])
      expect(ours).toContain(text);
  });

  it('is exported as CSV and PDF, and all of a year as one file', async () => {
    const { developer, reseller } = pair;
    const file = path.join(home, 'year.zip');
    for (const person of [developer, reseller]) {
      await done(person, 'payouts', 'archive', '2026', '--out', file, '--force');
      expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    }
    expect((await refused(developer, 'payouts', 'archive', '26', '--out', path.join(home, 'short.zip'))).code).toBe(64);
    expect((await refused(developer, 'payouts', 'archive', '2026')).err).toContain('--out');
    const csv = path.join(home, 'statement.csv');
    await done(reseller, 'payouts', 'export', '2026-0001', '--out', csv);
    expect(await done(reseller, 'payouts', 'verify', csv)).toContain('2026-0001');
    expect(await done(reseller, 'deals', 'requests', '--out', '-')).toMatch(/^Requested,Developer,Product,/);
    expect(await done(developer, 'deals', 'requests', '--out', '-')).toMatch(/^Requested,Reseller,Product,/);
  });
});
