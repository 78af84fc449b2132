import { type RawBuilder, sql } from 'kysely';

/** The same as seal.ts, for PostgreSQL; a test compares the two. */

type Part = RawBuilder<unknown>;

/** A moment as JSON has it, in UTC. */
export const isoSql = (moment: Part) =>
  sql<string>`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface RowColumns {
  id: Part;
  at: Part;
  /** A text. */
  kind: Part;
  /** A text. */
  refersTo: Part;
  revenue: Part;
  commission: Part;
  bps: Part;
}

const fields = ({ id, at, kind, refersTo, revenue, commission }: RowColumns) =>
  sql`${id}::text || ' ' || ${isoSql(at)} || ' ' || ${kind} || ' ' || ${refersTo} || ' ' || ${revenue} || ' ' || ${commission}`;

/** One row as a line of the sealed text. */
export const rowLineSql = (columns: RowColumns) => sql<string>`${fields(columns)} || ' ' || ${columns.bps} || E'\\n'`;

/** The same in the first version of the text, without the rate. */
export const rowLineSql1 = (columns: RowColumns) => sql<string>`${fields(columns)} || E'\\n'`;

/** SHA-256 of a text, hexadecimal. */
const sha256Sql = (text: Part) => sql<string>`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** The digest of lines that are grouped by statement. */
export const rowsDigestSql = (line: Part, id: Part) =>
  sha256Sql(sql`coalesce(string_agg(${line}, '' order by ${id}), '')`);

/**
 * A statement's digest.
 * @param f the alias of a relation with the columns of a statement; its month is a date.
 * @param s the alias of one with `rows_digest` and `previous_digest`.
 * @param version of the text: 2, or 1 for what was sealed before rates were.
 */
export function digestSql(f: string, s = f, version: 1 | 2 = 2): RawBuilder<string> {
  const figure = (word: string, column: string) => sql`${sql.lit(`${word} `)} || ${sql.ref(`${f}.${column}`)}`;
  const text = [
    sql.lit(`tonerow statement ${version}`),
    figure('number', 'number'),
    sql`'month ' || to_char(${sql.ref(`${f}.month`)}, 'YYYY-MM')`,
    figure('developer', 'developer_id'),
    figure('partnership', 'partnership_id'),
    sql`'currency USD'`,
    figure('redemptions', 'total_redemptions'),
    figure('revenue', 'total_revenue_cents'),
    figure('commission', 'reseller_earned_cents'),
    figure('adjustments', 'adjustments'),
    figure('adjustment_revenue', 'adjustment_revenue_cents'),
    figure('adjustment_commission', 'adjustment_commission_cents'),
    figure('brought_forward', 'brought_forward_cents'),
    figure('due', 'due_cents'),
    sql`'rows ' || ${sql.ref(`${s}.rows_digest`)}`,
    sql`'previous ' || coalesce(${sql.ref(`${s}.previous_digest`)}, '-')`,
    sql`''`,
  ];
  return sha256Sql(sql`concat_ws(E'\\n', ${sql.join(text)})`);
}
