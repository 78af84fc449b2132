import { Migration } from '@mikro-orm/migrations';

export class Migration20261122214617_billing_reconciliations extends Migration {
  override name = 'Migration20261122214617_billing_reconciliations';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "billing_reconciliations" ("id" uuid not null, "ran_at" timestamptz(3) not null, "compared" int not null, "differences" int not null, "error" text null, primary key ("id"));`,
    );
    this.addSql(`create index "billing_reconciliations_ran_index" on "billing_reconciliations" ("ran_at");`);
    // the release before does not know the table, and needs nothing of it
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122214617_billing_reconciliations');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "billing_reconciliations" cascade;`);
  }
}
