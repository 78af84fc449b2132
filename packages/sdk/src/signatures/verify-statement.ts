import { sha256 } from './signatures.ts';

export interface StatementFigures {
  number: string;
  /** `YYYY-MM`, UTC. */
  month: string;
  redemptions: number;
  adjustments: number;
  /** The amount that the reseller has to pay, in dollars. */
  due: number;
  developerId: string;
  /** The id of the partnership between the two, as elsewhere in the API. */
  resellerId: string;
  digest: string;
  /** That of the partnership's statement before; null for the first one. */
  previousDigest: string | null;
}

export type StatementVerdict =
  | { valid: true; statement: StatementFigures }
  /** `problems` are sentences. `statement` has the file's figures, if readable. */
  | { valid: false; problems: string[]; statement: StatementFigures | null };

const COLUMNS = [
  'Statement',
  'Month',
  'Redeemed At',
  'Kind',
  'ID',
  'Refers To',
  'Price',
  'Rate',
  'Commission',
  'Redemptions',
  'Adjustments',
  'Adjusted Price',
  'Adjusted Commission',
  'Brought Forward',
  'Due',
  'Developer ID',
  'Reseller ID',
  'Previous Digest',
  'Digest',
] as const;
type Line = Record<(typeof COLUMNS)[number], string>;

/**
 * Recounts a payout statement from its CSV alone: its sums, and the digest over its rows, its figures and the digest of the
 * statement before. Works offline, and in a browser. The digest has no key, and is in the same file: anyone who changes
 * the file can compute it again. So a valid file is consistent; to prove what was agreed, compare its digest with the
 * one that the other side holds.
 * @param csv the whole file, as it was downloaded.
 * @example
 * const verdict = await verifyStatement(await readFile('statement-2026-0007.csv', 'utf8'));
 * if (!verdict.valid) console.error(verdict.problems.join('\n'));
 */
export async function verifyStatement(csv: string): Promise<StatementVerdict> {
  const [head = [], ...records] = recordsOf(csv.replace(/^\ufeff/, ''));
  const missing = COLUMNS.filter((name) => !head.includes(name));
  if (missing.length > 0) return refuse([`This is not a statement: the column ${missing[0]} is missing.`]);
  const lines = records.map(
    (record) => Object.fromEntries(COLUMNS.map((name) => [name, record[head.indexOf(name)] ?? ''])) as Line,
  );
  const total = lines.at(-1);
  if (total?.Kind !== 'total') return refuse(['The closing line is missing: the file is not complete.']);
  const rows = lines.slice(0, -1);
  const statement = {
    number: total.Statement,
    month: total.Month,
    redemptions: Number(total.Redemptions),
    adjustments: Number(total.Adjustments),
    due: Number(total.Due),
    developerId: total['Developer ID'],
    resellerId: total['Reseller ID'],
    digest: total.Digest,
    previousDigest: total['Previous Digest'] || null,
  };
  const problems = [...sumProblems(rows, total)];
  // statements that were sealed by the first version have no rate under their digest
  if ((await digestOf(rows, total, 2)) !== total.Digest && (await digestOf(rows, total, 1)) !== total.Digest)
    problems.push('The digest is not that of these rows and figures.');
  return problems.length === 0 ? { valid: true, statement } : refuse(problems, statement);
}

const refuse = (problems: string[], statement: StatementFigures | null = null): StatementVerdict => ({
  valid: false,
  problems,
  statement,
});

function* sumProblems(rows: Line[], total: Line): Generator<string> {
  const sales = rows.filter((row) => row.Kind === 'sale');
  const others = rows.filter((row) => row.Kind !== 'sale');
  const sum = (some: Line[], column: 'Price' | 'Commission') => some.reduce((all, row) => all + cents(row[column]), 0);
  const counted: [string, number, number][] = [
    ['Redemptions', sales.length, Number(total.Redemptions)],
    ['Revenue', sum(sales, 'Price'), cents(total.Price)],
    ['Commission', sum(sales, 'Commission'), cents(total.Commission)],
    ['Adjustments', others.length, Number(total.Adjustments)],
    ['The adjusted price', sum(others, 'Price'), cents(total['Adjusted Price'])],
    ['The adjusted commission', sum(others, 'Commission'), cents(total['Adjusted Commission'])],
  ];
  for (const [what, found, said] of counted)
    if (found !== said)
      yield `${what}: the rows add up to ${shown(what, found)}, the closing line has ${shown(what, said)}.`;
  const due =
    cents(total.Price) -
    cents(total.Commission) +
    cents(total['Adjusted Price']) -
    cents(total['Adjusted Commission']) +
    cents(total['Brought Forward']);
  if (due !== cents(total.Due)) yield `Due: the figures come to ${shown('', due)}, the closing line has ${total.Due}.`;
  if (rows.some((row) => row.Statement !== total.Statement || row.Month !== total.Month))
    yield 'There are rows of another statement.';
}

const shown = (what: string, value: number) =>
  what === 'Redemptions' || what === 'Adjustments' ? String(value) : plainDollars(value);

/** The whole cents of an amount such as `-12.50`; an empty cell has none. */
function cents(amount: string): number {
  if (amount === '') return 0;
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  return whole === undefined ? Number.NaN : Number(`${sign}${whole}${part.padEnd(2, '0')}`);
}

function plainDollars(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

async function digestOf(rows: Line[], total: Line, version: 1 | 2): Promise<string> {
  const ordered = [...rows].sort((a, b) => (a.ID < b.ID ? -1 : 1));
  const text = ordered.map(
    (row) =>
      `${row.ID} ${row['Redeemed At']} ${row.Kind} ${row['Refers To'] || '-'} ${cents(row.Price)} ${cents(row.Commission)}${version === 2 ? ` ${cents(row.Rate)}` : ''}\n`,
  );
  return sha256(
    [
      `tonerow statement ${version}`,
      `number ${total.Statement}`,
      `month ${total.Month}`,
      `developer ${total['Developer ID']}`,
      `partnership ${total['Reseller ID']}`,
      'currency USD',
      `redemptions ${Number(total.Redemptions)}`,
      `revenue ${cents(total.Price)}`,
      `commission ${cents(total.Commission)}`,
      `adjustments ${Number(total.Adjustments)}`,
      `adjustment_revenue ${cents(total['Adjusted Price'])}`,
      `adjustment_commission ${cents(total['Adjusted Commission'])}`,
      `brought_forward ${cents(total['Brought Forward'])}`,
      `due ${cents(total.Due)}`,
      `rows ${await sha256(text.join(''))}`,
      `previous ${total['Previous Digest'] || '-'}`,
      '',
    ].join('\n'),
  );
}

/** The records of a CSV (RFC 4180). */
function recordsOf(csv: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < csv.length) {
    const match = cell.exec(csv);
    if (!match) break;
    record.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] !== ',') {
      records.push(record);
      record = [];
    }
  }
  return records;
}
