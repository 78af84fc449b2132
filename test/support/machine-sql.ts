import { spread } from '../../packages/server/src/spread.ts';
import { strayRows } from './made-rows.ts';
import { stableUpdates } from './stable-updates.ts';
import { statementUses } from './statement-use.ts';
import { referredTables, tables, tenantTables } from './tables.ts';

// Statements that a database of many machines refuses, or gets wrong without a word, although each keeps to its
// tenants.

const known: ReadonlySet<string> = new Set(Object.keys(tables));
const WRITES = new Set(['adds', 'updates', 'deletes']);

/**
 * Functions that a machine answers for itself. In a statement about a tenant's table, that is the machine with the
 * rows.
 */
const OF_ONE_MACHINE = /\b(pg_current_snapshot|pg_snapshot_\w+|txid_\w+|pg_(try_)?advisory_\w+)\s*\(/i;
const TRANSACTION = /\bpg_current_xact_id\s*\(/i;

/** The developers of a reseller are known to every machine: only of so many that each has some, all may be asked. */
const OF_A_RESELLER = /\breseller_id"?\s*=\s*\$\d/i;
const ALL_FOR_ONE = /\/\* across tenants: (?!every machine has some of so many)/;

/** Each machine has such a row, and it would be locked on all of them: two that share it wait for each other until one is ended. */
const SHARES = /\bfor\s+(key\s+)?share\b/i;

/** The mistakes in a statement by itself. */
export function machineOffenses(sql: string): string[] {
  const uses = statementUses(sql, known);
  const own = uses.filter(({ table }) => tenantTables.has(table));
  const shared = uses.filter(({ table, does }) => spread[table] === 'reference' && WRITES.has(does));
  const held = uses.find(({ table }) => spread[table] === 'reference');
  const local = uses.filter(({ table }) => spread[table] === 'local');
  const [machine] = OF_ONE_MACHINE.exec(sql) ?? [];
  return [
    ...(machine && own.length > 0
      ? [`${machine}) is asked beside ${own[0]?.table}, on whichever machine has its rows`]
      : []),
    ...(TRANSACTION.test(sql) && own.length > 0 && !uses.some(({ does }) => WRITES.has(does))
      ? [`pg_current_xact_id() is asked beside ${own[0]?.table} by a statement that writes nothing`]
      : []),
    ...(own.length > 0 && OF_A_RESELLER.test(sql) && ALL_FOR_ONE.test(sql)
      ? [`every machine is asked for ${own[0]?.table} of one reseller, whose developers are known`]
      : []),
    ...(held && own.length === 0 && SHARES.test(sql)
      ? [`${held.table}, which every machine has, is held by several at once, and beside no table of the account`]
      : []),
    ...(shared.length > 0 && local.length > 0
      ? [`${shared[0]?.table}, which every machine has, is written beside ${local[0]?.table}, which one machine has`]
      : []),
    ...strayRows(sql, tenantTables),
    ...stableUpdates(sql),
  ];
}

interface Kind {
  /** A table that every machine has and tenants' tables refer to, and that is written. */
  shared: string | undefined;
  /** Reads or writes what many machines have parts of. */
  many: boolean;
}

const kinds = new Map<string, Kind>();
/** A restore asks one machine after the other from its beginning. */
const MANY = /across tenants: (?!a backup has everything)|\bdeveloper_id"?\s*=\s*any\s*\(/i;

function kindOf(sql: string): Kind {
  let kind = kinds.get(sql);
  if (!kind) {
    const uses = statementUses(sql, known);
    kind = {
      shared: uses.find(({ table, does }) => referredTables.has(table) && WRITES.has(does))?.table,
      many: MANY.test(sql) && uses.some(({ table }) => tenantTables.has(table)),
    };
    kinds.set(sql, kind);
  }
  return kind;
}

const BEGINS = /^\s*(begin|start transaction)\b/i;
const ENDS = /^\s*(commit|rollback|end)\b(?!\s+to\b)/i;

/** Settings that decide what a machine answers, or how long it waits. */
const SETS = /^\s*set local (timezone|lock_timeout)\b|\bset_config\(\s*'(timezone|lock_timeout)'/i;
/** Marks statements that run where there is no other machine. */
const OF_ONE = '/* one machine */';
const PASSES_ON = "set local citus.propagate_set_commands = 'local'";

/**
 * The order of a transaction's statements: what every machine has is written before many of them are asked for their parts. They are
 * asked side by side until then, and one after the other from then on, and that cannot change while something is being asked. And what
 * is set for it is passed on to all machines.
 */
export class OrderOfWrites {
  #began = false;
  #shared = false;
  #many: string | undefined;
  #passesOn = false;

  /** Takes note of a statement. @returns what is wrong with its place. */
  offense(sql: string): string | undefined {
    if (BEGINS.test(sql)) return this.#start(true);
    if (ENDS.test(sql)) return this.#start(false);
    if (!this.#began) return undefined;
    if (sql === PASSES_ON) this.#passesOn = true;
    const set = SETS.exec(sql);
    if (set && !sql.includes(OF_ONE) && (!this.#passesOn || set[2]))
      return `${set[1] ?? set[2]} is set on one machine alone`;
    const { shared, many } = kindOf(sql);
    if (shared && this.#many && !this.#shared) {
      const asked = this.#many.replace(/\s+/g, ' ').slice(0, 200);
      return `${shared}, which every machine has, is written after many were asked for their parts: ${asked}`;
    }
    if (shared) this.#shared = true;
    else if (many && !this.#shared) this.#many ??= sql;
    return undefined;
  }

  #start(began: boolean): undefined {
    this.#began = began;
    this.#shared = false;
    this.#many = undefined;
    this.#passesOn = false;
  }
}
