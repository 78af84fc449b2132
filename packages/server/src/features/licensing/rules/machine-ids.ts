import { sql } from 'kysely';

/** The same as {@link foldedSql}. */
const UUID = /^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i;
/** Values that boards and systems report in place of an id: nothing but zeros or Fs, and defaults of board makers. */
const SHARED = /^(?:0{8,}|f{8,}|03000200040005000006000700080009|020000000000)$/i;

/**
 * All spellings of a machine's id that are one machine. JUCE compares ids without case, and systems differ in how they
 * write the same UUID; any other id may well mean something by its case. Tokens and answers keep the id as it was sent.
 */
export function spellingsOf(id: string): string[] {
  return UUID.test(id) ? [...new Set([id, id.toLowerCase(), id.toUpperCase()])] : [id];
}

/** Whether an id can be spelled in another way. */
export const hasSpellings = (id: string): boolean => UUID.test(id);

/** The common form of all spellings of a machine's id. */
export const foldOf = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);

/** {@link foldOf} of a column, in SQL. */
export const foldedSql = (column: string) =>
  `(case when ${column} ~* '^\\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\\}?$' then lower(${column}) else ${column} end)`;

/** {@link foldOf} of a column in a query. */
export const folded = (column: string) => sql<string>`${sql.raw(foldedSql(column))}`;

export function isSameMachine(one: string, other: string): boolean {
  return foldOf(one) === foldOf(other);
}

/** Whether an id is a placeholder for machines without one: they would share one seat and one trial. */
export function isPlaceholder(id: string): boolean {
  return SHARED.test(id.replace(/[-:.{}]/g, ''));
}

/**
 * The id that the key file of an unlock for good has in place of machines. Plugins that accept such an unlock add it to
 * their ids, so no other key file may ever name it.
 */
export const EVERY_COMPUTER = 'EVERY-COMPUTER';

/** Whether JUCE could take an id for that of every computer: it compares without case and without space around, which systems define differently. */
export function isEveryComputer(id: string): boolean {
  return id.replace(/[^!-~]/g, '').toUpperCase() === EVERY_COMPUTER;
}

/** Characters shown of a machine id: enough to distinguish machines. */
export const MACHINE_SHOWN = 8;

/** The first characters of a machine's id: whole ones, as the database counts them too. */
export const shownOf = (machineId: string): string => Array.from(machineId).slice(0, MACHINE_SHOWN).join('');
