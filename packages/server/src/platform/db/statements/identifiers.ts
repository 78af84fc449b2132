import pg from 'pg';

/** The name of a table, a column or a constraint as a statement has it, whatever characters are in it. */
export const quoted = (name: string) => pg.escapeIdentifier(name);

/** A list of names. */
export const listed = (names: readonly string[]) => names.map(quoted).join(', ');
