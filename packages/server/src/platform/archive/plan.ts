import type { Sql } from '../db/database.ts';
import type { SealedColumn } from '../secrets/sealed-column.ts';

// The tables in an account's archive: every table that names an account, unless it is named here with a reason.

/** Tables that have nothing of an account, or nothing that means something elsewhere. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  account_archives: 'an archive is not in an archive',
  announcements: 'they are the server’s',
  billing_numbers: 'they are the server’s',
  billing_reconciliations: 'they are the server’s',
  device_sign_ins: 'they end within minutes',
  email_verifications: 'their links lead to the server that sent them',
  idempotency_records: 'they end within a day, and are sealed for the server that keeps them',
  known_places: 'everybody signs in anew on another server',
  password_resets: 'their links lead to the server that sent them',
  rate_limits: 'they end within a day',
  restores: 'they are the server’s',
  rolling_migrations: 'they are the server’s',
  secret_probes: 'they are the server’s',
  sessions: 'everybody signs in anew on another server',
  shop_rates: 'they are the server’s',
  spent_identity_tokens: 'they end within minutes',
  stripe_events: 'they are the server’s',
};

/** Tables that are in the archive for bookkeeping, and are not restored. */
export const NOT_RESTORED: Readonly<Record<string, string>> = {
  billing_customers: 'the card is known to the former server’s Stripe account',
  billing_differences: 'bills are between the account and whoever ran the former server',
  billing_lines: 'bills are between the account and whoever ran the former server',
  billing_logs: 'bills are between the account and whoever ran the former server',
  billing_statements: 'bills are between the account and whoever ran the former server',
  refresh_charges: 'what was used there is billed there',
  setup_intents: 'the card is known to the former server’s Stripe account',
  usage_days: 'what was used there is billed there',
  usage_months: 'what was used there is billed there',
};

/** Text that lets somebody guess or act, beside what the server’s secret seals. In the sealed part alone. */
export const SECRET_COLUMNS: readonly { table: string; column: string }[] = [
  { table: 'users', column: 'password_hash' },
  { table: 'recovery_codes', column: 'code_hash' },
  { table: 'access_tokens', column: 'token_hash' },
];

/** How a table names whose a row is, by the columns that it has; the first one counts. */
const OWNERS = ['developer_id', 'account_id', 'user_id', 'inviter_id'] as const;

export interface ArchivedTable {
  name: string;
  columns: string[];
  /** The column with the account. */
  owner: string;
  /** Columns whose values are in the sealed part alone, with what the server sealed them for. */
  secret: { column: string; purpose: string | null }[];
}

/** @throws {Error} for a table that is neither of an account nor left out. */
export function planOf(
  tables: readonly { name: string; columns: string[] }[],
  sealed: readonly SealedColumn[],
): ArchivedTable[] {
  return tables.flatMap(({ name, columns }) => {
    if (name in LEFT_OUT) return [];
    const owner = name === 'users' ? 'id' : OWNERS.find((column) => columns.includes(column));
    if (!owner) throw new Error(`${name} has no account, and is not named among what an archive leaves out`);
    const secret = [
      ...sealed.filter(({ table }) => table === name).map(({ column, purpose }) => ({ column, purpose })),
      ...SECRET_COLUMNS.filter(({ table }) => table === name).map(({ column }) => ({ column, purpose: null })),
    ];
    if (secret.length > 0 && !columns.includes('id')) throw new Error(`${name} has secrets, and no id to find them by`);
    return [{ name, columns, owner, secret }];
  });
}

/**
 * Every table that is there, each after those that its foreign keys reference. What a trigger writes comes last, behind what it is
 * written for.
 */
export async function tablesOf(sql: Sql): Promise<{ name: string; columns: string[] }[]> {
  const tables = await sql.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'mikro_orm_migrations'
     group by c.relname order by c.relname`,
  );
  const links = await sql.query<{ child: string; parent: string }>(
    `select distinct c.relname as child, p.relname as parent from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
     where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace and k.conrelid <> k.confrelid`,
  );
  const sorted: { name: string; columns: string[] }[] = [];
  let left = tables;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const next = left.filter(({ name }) => !links.some((link) => link.child === name && waiting.has(link.parent)));
    if (next.length === 0) throw new Error(`foreign keys in a circle: ${[...waiting].join(', ')}`);
    sorted.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  const late = (name: string) => Number(name === WRITTEN_BY_TRIGGERS);
  return sorted.sort((a, b) => late(a.name) - late(b.name));
}

/** A row of `activations` writes one here. */
export const WRITTEN_BY_TRIGGERS = 'seat_changes';
