import { Migration } from '@mikro-orm/migrations';

export class Migration20261123063942_customers_stop_updates extends Migration {
  override name = 'Migration20261123063942_customers_stop_updates';

  override up(): void | Promise<void> {
    this.addSql(`alter table "customers" add "no_updates_at" timestamptz(3) null;`);

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123063942_customers_stop_updates');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "customers" drop column "no_updates_at";`);
  }
}
