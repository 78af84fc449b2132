import { Migration } from '@mikro-orm/migrations';

export class Migration20261122063241_partnership_history extends Migration {
  override name = 'Migration20261122063241_partnership_history';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "partner_low_stock" ("developer_id" uuid not null, "partnership_id" uuid not null, "product_id" uuid not null, "since" timestamptz(3) not null, primary key ("developer_id", "partnership_id", "product_id"));`,
    );

    this.addSql(
      `create table "partnership_events" ("developer_id" uuid not null, "id" uuid not null, "partnership_id" uuid not null, "kind" varchar(255) not null, "actor_id" uuid not null, "rate" jsonb null, "happened_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index partnership_events_partnership_index on partnership_events (partnership_id, id);`);

    this.addSql(`alter table "partnerships" drop constraint "partnerships_status_check";`);
    this.addSql(
      `alter table "partnerships" add "low_stock_threshold" int null, add "connected_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_low_stock_check" check (low_stock_threshold >= 1);`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_status_check" check (status in ('named', 'active', 'paused', 'ended'));`,
    );

    this.addSql(
      `alter table "partnership_events" add constraint "partnership_events_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "partnership_events" add constraint "partnership_events_kind_check" check (kind in ('invited', 'accepted', 'claimed', 'rate_changed', 'paused', 'resumed', 'ended'));`,
    );
    this.addSql(
      `create or replace function "partnership_events_partnership_events_append_only_fn"() returns trigger as $$ begin raise exception 'the history of a partnership is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "partnership_events_append_only" BEFORE UPDATE OR DELETE on "partnership_events" for each ROW execute function "partnership_events_partnership_events_append_only_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "partner_low_stock" cascade;`);
    this.addSql(`drop trigger if exists "partnership_events_append_only" on "partnership_events";`);
    this.addSql(`drop function if exists "partnership_events_partnership_events_append_only_fn"();`);
    this.addSql(`drop table if exists "partnership_events" cascade;`);

    this.addSql(`alter table "partnerships" drop constraint "partnerships_low_stock_check";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_status_check";`);
    this.addSql(`alter table "partnerships" drop column "low_stock_threshold", drop column "connected_at";`);
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_status_check" check ("status" in ('named', 'active', 'ended'));`,
    );
  }
}
