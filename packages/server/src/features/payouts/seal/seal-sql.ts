/** The same as seal.ts, for PostgreSQL; a test compares the two. */

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface RowColumns {
  id: string;
  at: string;
  kind: string;
  refersTo: string;
  revenue: string;
  commission: string;
  bps: string;
}

const fields = ({ id, at, kind, refersTo, revenue, commission }: RowColumns) =>
  `${id}::text || ' ' || ${iso(at)} || ' ' || ${kind} || ' ' || ${refersTo} || ' ' || ${revenue} || ' ' || ${commission}`;

/** One row as a line of the sealed text. Columns are expressions; `kind` and `refersTo` are texts. */
export const rowLineSql = (columns: RowColumns): string => `${fields(columns)} || ' ' || ${columns.bps} || E'\\n'`;

/** The same in the first version of the text, without the rate. */
export const rowLineSql1 = (columns: RowColumns): string => `${fields(columns)} || E'\\n'`;

/** SHA-256 of a text, hexadecimal. */
export const sha256Sql = (text: string) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** The digest of lines that are grouped by statement. */
export const rowsDigestSql = (line: string, id: string) =>
  sha256Sql(`coalesce(string_agg(${line}, '' order by ${id}), '')`);

/**
 * A statement's digest.
 * @param f the alias of a relation with the columns of a statement; its month is a date.
 * @param s the alias of one with `rows_digest` and `previous_digest`.
 * @param version of the text: 2, or 1 for what was sealed before rates were.
 */
export function digestSql(f: string, s = f, version: 1 | 2 = 2): string {
  const text = [
    `'tonerow statement ${version}'`,
    `'number ' || ${f}.number`,
    `'month ' || to_char(${f}.month, 'YYYY-MM')`,
    `'developer ' || ${f}.developer_id`,
    `'partnership ' || ${f}.partnership_id`,
    `'currency USD'`,
    `'redemptions ' || ${f}.total_redemptions`,
    `'revenue ' || ${f}.total_revenue_cents`,
    `'commission ' || ${f}.reseller_earned_cents`,
    `'adjustments ' || ${f}.adjustments`,
    `'adjustment_revenue ' || ${f}.adjustment_revenue_cents`,
    `'adjustment_commission ' || ${f}.adjustment_commission_cents`,
    `'brought_forward ' || ${f}.brought_forward_cents`,
    `'due ' || ${f}.due_cents`,
    `'rows ' || ${s}.rows_digest`,
    `'previous ' || coalesce(${s}.previous_digest, '-')`,
    `''`,
  ].join(', ');
  return sha256Sql(`concat_ws(E'\\n', ${text})`);
}
