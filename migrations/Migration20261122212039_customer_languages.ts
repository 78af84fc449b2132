import { Migration } from '@mikro-orm/migrations';

export class Migration20261122212039_customer_languages extends Migration {
  override name = 'Migration20261122212039_customer_languages';

  override up(): void | Promise<void> {
    this.addSql(`alter table "customers" add "language" varchar(255) null;`);
    this.addSql(
      `alter table "customers" add constraint "customers_language_check" check (language in ('en', 'de', 'fr', 'es', 'ja'));`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122212039_customer_languages')`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "customers" drop constraint "customers_language_check";`);
    this.addSql(`alter table "customers" drop column "language";`);
  }
}
