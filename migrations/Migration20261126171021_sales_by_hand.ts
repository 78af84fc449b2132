import { Migration } from '@mikro-orm/migrations';

export class Migration20261126171021_sales_by_hand extends Migration {
  override name = 'Migration20261126171021_sales_by_hand';

  override up(): void | Promise<void> {
    this.addSql(`alter table "draws" add "sold_for_cents" int null, add "note" text null, add "mail_id" uuid null;`);
    this.addSql(
      `create index draws_sold_index on draws (reseller_id, created_at, id) where sold_for_cents is not null;`,
    );
    this.addSql(
      `alter table "draws" add constraint "draws_sold_check" check (sold_for_cents is null or (sold_for_cents >= 0 and quantity = 1));`,
    );
    // the release before draws as it did, and knows no sales
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261126171021_sales_by_hand');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "draws_sold_index";`);
    this.addSql(`alter table "draws" drop constraint "draws_sold_check";`);
    this.addSql(`alter table "draws" drop column "sold_for_cents", drop column "note", drop column "mail_id";`);
  }
}
