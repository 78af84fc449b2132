import { Migration } from '@mikro-orm/migrations';

export class Migration20261122220700_refusal_days extends Migration {
  override name = 'Migration20261122220700_refusal_days';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "license_refusal_days" ("developer_id" uuid not null, "product_id" uuid not null, "day" date not null, "status" text not null, "count" bigint not null default '0', primary key ("developer_id", "product_id", "day", "status"));`,
    );
    this.addSql(`create index "license_refusal_days_day_index" on "license_refusal_days" ("day");`);

    this.addSql(`create index ledger_days_product_index on ledger_days (product_id, developer_id);`);

    this.addSql(
      `alter table "license_refusal_days" add constraint "license_refusal_days_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on delete cascade;`,
    );

    this.addSql(`insert into license_refusal_days (developer_id, product_id, day, status, count)
      select developer_id, product_id, (at at time zone 'UTC')::date, status, sum(count) from license_refusals
      where product_id is not null group by 1, 2, 3, 4;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122220700_refusal_days');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "license_refusal_days" cascade;`);

    this.addSql(`drop index "ledger_days_product_index";`);
  }
}
