import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cliSuite } from '@tonerow/test-support/cli-suite.ts';
import { describe, expect, it } from 'vitest';

const { fake, home, run: tonerow } = cliSuite();
const run = (...line: string[]) => tonerow(['payouts', ...line]);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A month with one sale for $10 and a commission of $2, sealed as docs/statements.md describes. */
async function statement(month: string, previous = '', reseller = 'rae', version = 2) {
  const number = `2026-00${month}`;
  const at = `2026-${month}-10T12:00:00.000Z`;
  const figures = {
    number,
    month: `2026-${month}`,
    developer: 'ada',
    partnership: reseller,
    currency: 'USD',
    redemptions: 1,
    revenue: 1000,
    commission: 200,
    adjustments: 0,
    adjustment_revenue: 0,
    adjustment_commission: 0,
    brought_forward: 0,
    due: 800,
    rows: sha256(`id-1 ${at} sale - 1000 200${version === 2 ? ' 2000' : ''}\n`),
    previous: previous || '-',
  };
  const lines = Object.entries(figures).map(([name, value]) => `${name} ${value}\n`);
  const digest = sha256(`tonerow statement ${version}\n${lines.join('')}`);
  const csv = [
    'Statement,Month,Redeemed At,Kind,ID,Refers To,Price,Rate,Commission,Redemptions,Adjustments,Adjusted Price,Adjusted Commission,Brought Forward,Due,Developer ID,Reseller ID,Previous Digest,Digest',
    `${number},2026-${month},${at},sale,id-1,,10.00,20,2.00,,,,,,,,,,`,
    `${number},2026-${month},,total,,,10.00,,2.00,1,0,0.00,0.00,0.00,8.00,ada,${reseller},${previous},${digest}`,
    '',
  ];
  const file = path.join(home, `${reseller}-${month}.csv`);
  await writeFile(file, csv.join('\r\n'));
  return { file, digest, csv: csv.join('\r\n') };
}

async function year() {
  const january = await statement('01');
  const february = await statement('02', january.digest);
  const march = await statement('03', february.digest);
  return { january, february, march };
}

describe('payouts verify', () => {
  it('accepts statements that follow each other, in any order, and each partnership by itself', async () => {
    const { january, february, march } = await year();
    const other = await statement('02', 'ab'.repeat(32), 'otto');
    const { code, out } = await run('verify', march.file, january.file, february.file, other.file);
    expect(code).toBe(0);
    expect(out.match(/: valid\./g)).toHaveLength(4);
    expect(out).toContain('developer ada, reseller otto');
    expect((await run('verify', february.file)).code).toBe(0);
  });

  it('reports a statement whose predecessor is missing', async () => {
    const { january, march } = await year();
    const { code, out, err } = await run('verify', january.file, march.file);
    expect(code).toBe(3);
    expect(out).toContain(`${january.file}: valid.`);
    expect(out).toContain(`${march.file}: the statement before it is missing.`);
    expect(err).toContain('1 of 2 files do not follow a valid one.');
    const json = JSON.parse((await run('verify', january.file, march.file, '--json')).out);
    expect(json.map((each: { previousMissing: boolean }) => each.previousMissing)).toEqual([false, true]);
  });

  it('does not let a file that is not valid fill a gap', async () => {
    const { january, february, march } = await year();
    await writeFile(february.file, february.csv.replace('2026-02-10T', '2026-02-11T'));
    const { code, out, err } = await run('verify', january.file, february.file, march.file);
    expect(code).toBe(3);
    expect(out).toContain(`${february.file}: NOT VALID`);
    expect(out).toContain(`${march.file}: the statement before it is missing.`);
    expect(err).toContain('1 of 3 files are not valid. 1 of 3 files do not follow a valid one.');
  });

  it('finds a rate that was changed', async () => {
    const { january } = await year();
    await writeFile(january.file, january.csv.replace(',10.00,20,2.00', ',10.00,20.01,2.00'));
    const { code, out } = await run('verify', january.file);
    expect(code).toBe(3);
    expect(out).toContain('The digest is not that of these rows and figures.');
  });

  it('accepts a statement that was sealed before rates were', async () => {
    const old = await statement('01', '', 'rae', 1);
    const { file } = await statement('02', old.digest);
    expect(await run('verify', old.file, file)).toMatchObject({ code: 0 });
  });

  it('compares a file with the digest that the other side holds', async () => {
    const { january, february } = await year();
    expect(await run('verify', january.file, '--digest', january.digest.toUpperCase())).toMatchObject({
      code: 0,
      out: expect.stringContaining('as held by the other side'),
    });
    expect(await run('verify', january.file, '--digest', february.digest)).toMatchObject({
      code: 3,
      out: expect.stringContaining('Its digest is not the one given with --digest.'),
    });
    expect((await run('verify', january.file, '--digest', 'abc')).code).toBe(64);
    expect((await run('verify', january.file, february.file, '--digest', january.digest)).code).toBe(64);
  });
});

it.each([
  ['pay', '2026-0007', '--amount'],
  ['what-if', 'Plugin Shop', '--price'],
])('payouts %s refuses the amount "none" and asks the server nothing', async (command, which, option) => {
  const { code, err } = await run(command, which, option, 'none');
  expect([code, fake.seen]).toEqual([64, []]);
  expect(err).toContain(`${option} takes dollars`);
});
