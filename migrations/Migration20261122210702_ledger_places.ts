import { Migration } from '@mikro-orm/migrations';

export class Migration20261122210702_ledger_places extends Migration {
  override name = 'Migration20261122210702_ledger_places';

  /** What was sold before is counted later, in steps, by `countPlaces`. */
  override up(): void | Promise<void> {
    this.addSql(
      `create table "ledger_place_counts" ("developer_id" uuid not null, "complete_from" date not null, primary key ("developer_id"));`,
    );

    this.addSql(
      `create table "ledger_places" ("developer_id" uuid not null, "day" date not null, "product_id" uuid not null, "partnership_id" uuid not null, "country" text not null, "redemptions" int not null default 0, "revenue_cents" bigint not null default '0', "adjustment_revenue_cents" bigint not null default '0', primary key ("developer_id", "day", "product_id", "partnership_id", "country"));`,
    );

    this.addSql(
      `alter table "ledger_place_counts" add constraint "ledger_place_counts_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "ledger_places" add constraint "ledger_places_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "ledger_place_counts" cascade;`);
    this.addSql(`drop table if exists "ledger_places" cascade;`);
  }
}
