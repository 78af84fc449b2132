import { Migration } from '@mikro-orm/migrations';

export class Migration20261122181043_removed_cards extends Migration {
  override name = 'Migration20261122181043_removed_cards';

  override up(): void | Promise<void> {
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122181043_removed_cards');`);
    this.addSql(`alter table "billing_customers" add "removed_payment_method_id" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "billing_customers" drop column "removed_payment_method_id";`);
  }
}
