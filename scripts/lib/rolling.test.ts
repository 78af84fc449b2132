import { expect, it } from 'vitest';
import { declaredRolling } from './rolling.ts';

const NAME = 'Migration20260101000000_more';
const migration = (...statements: string[]) => `import { Migration } from '@mikro-orm/migrations';

export class ${NAME} extends Migration {
  override name = '${NAME}';

  override up(): void | Promise<void> {
${statements.map((statement) => `    this.addSql(\`${statement}\`);\n`).join('\n')}  }

  override down(): void | Promise<void> {
    this.addSql(\`alter table "products" drop column "motto";\`);
  }
}
`;

it('lets older processes work on beside columns that they need not write', () => {
  const [up, down] = (
    declaredRolling(
      migration(`alter table "products" add "motto" text not null default '', add "since" timestamptz(3) null;`),
      NAME,
    ) as string
  ).split('override down');
  expect(up).toContain(`\n    this.addSql(\`insert into rolling_migrations (name) values ('${NAME}');\`);\n  }\n`);
  expect(down).toContain(
    `{\n    this.addSql(\`delete from rolling_migrations where name = '${NAME}';\`);\n\n    this.addSql(`,
  );
});

it.each([
  ['a column that they would have to write', `alter table "products" add "motto" text not null;`],
  ['a column that is gone', `alter table "products" drop column "motto";`],
  ['a constraint', `alter table "products" add constraint "motto" check (motto <> '' or motto is null);`],
  ['an index', `create unique index "motto" on "products" ("motto");`],
])('leaves %s to its author', (_, statement) => {
  expect(declaredRolling(migration(`alter table "products" add "motto" text null;`, statement), NAME)).toBeNull();
});

it('leaves a migration without statements alone', () => {
  expect(declaredRolling(migration(), NAME)).toBeNull();
});
