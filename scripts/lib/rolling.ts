const COLUMN = /^"\w+" .*(?: default .+|(?<! not) null)$/;

/**
 * A migration that only adds columns which older processes need not write, with the line that lets those work on (decision
 * 0022). Null for every other one: its author decides.
 */
export function declaredRolling(source: string, name: string): string | null {
  const [up = '', down = ''] = source.split(/(?=\n {2}override down\()/);
  const statements = [...up.matchAll(/this\.addSql\(\s*`([^`]*)`/g)].map(([, statement = '']) => statement);
  if (statements.length === 0 || !statements.every(onlyAddsColumns)) return null;
  const line = (text: string) => `\n    this.addSql(\`${text}\`);\n`;
  return (
    up.replace(/\n {2}\}\s*$/, `${line(`insert into rolling_migrations (name) values ('${name}');`)}  }\n`) +
    down.replace(/\{\n/, `{${line(`delete from rolling_migrations where name = '${name}';`)}\n`)
  );
}

function onlyAddsColumns(statement: string): boolean {
  const columns = /^alter table "\w+" add (.+?);?$/.exec(statement)?.[1];
  return columns?.split(/, add (?=")/).every((column) => COLUMN.test(column)) ?? false;
}
