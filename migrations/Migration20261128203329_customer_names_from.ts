import { Migration } from '@mikro-orm/migrations';

export class Migration20261128203329_customer_names_from extends Migration {
  override name = 'Migration20261128203329_customer_names_from';

  override up(): void | Promise<void> {
    this.addSql(`alter table "customers" add "first_name_from" uuid null, add "last_name_from" uuid null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128203329_customer_names_from');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128203329_customer_names_from';`);

    this.addSql(`alter table "customers" drop column "first_name_from", drop column "last_name_from";`);
  }
}
