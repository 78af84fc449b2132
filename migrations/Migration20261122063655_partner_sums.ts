import { Migration } from '@mikro-orm/migrations';

export class Migration20261122063655_partner_sums extends Migration {
  override name = 'Migration20261122063655_partner_sums';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "partner_totals" ("developer_id" uuid not null, "partnership_id" uuid not null, "product_id" uuid not null, "redemptions" int not null default 0, "imports" int not null default 0, "revenue_cents" bigint not null default '0', "commission_cents" bigint not null default '0', "adjustments" int not null default 0, "adjustment_revenue_cents" bigint not null default '0', "adjustment_commission_cents" bigint not null default '0', primary key ("developer_id", "partnership_id", "product_id"));`,
    );

    this.addSql(
      `create table "partner_months" ("developer_id" uuid not null, "partnership_id" uuid not null, "month" date not null, "product_id" uuid not null, "redemptions" int not null default 0, "imports" int not null default 0, "revenue_cents" bigint not null default '0', "commission_cents" bigint not null default '0', "adjustments" int not null default 0, "adjustment_revenue_cents" bigint not null default '0', "adjustment_commission_cents" bigint not null default '0', primary key ("developer_id", "partnership_id", "month", "product_id"));`,
    );

    this.addSql(
      `create table "partner_days" ("developer_id" uuid not null, "partnership_id" uuid not null, "day" date not null, "product_id" uuid not null, "redemptions" int not null default 0, "imports" int not null default 0, "revenue_cents" bigint not null default '0', "commission_cents" bigint not null default '0', "adjustments" int not null default 0, "adjustment_revenue_cents" bigint not null default '0', "adjustment_commission_cents" bigint not null default '0', primary key ("developer_id", "partnership_id", "day", "product_id"));`,
    );

    this.addSql(
      `create table "partner_calendars" ("developer_id" uuid not null, "partnership_id" uuid not null, "time_zone" text not null, primary key ("developer_id", "partnership_id"));`,
    );

    this.addSql(
      `create table "ledger_adjustments" ("id" uuid not null, "developer_id" uuid not null, "redemption_id" uuid not null, "partnership_id" uuid null, "product_id" uuid not null, "kind" varchar(255) not null, "revenue_cents" int not null, "commission_cents" int not null, "reason" text not null, "actor_id" uuid not null, "created_at" timestamptz(3) not null, "month" date not null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "ledger_adjustments_list_index" on "ledger_adjustments" ("developer_id", "created_at", "id") where created_at > '-infinity';`,
    );
    this.addSql(`create index ledger_adjustments_redemption_index on ledger_adjustments (redemption_id);`);
    this.addSql(
      `create index ledger_adjustments_partnership_index on ledger_adjustments (partnership_id, created_at, id);`,
    );

    this.addSql(
      `alter table "ledger_days" add "adjustments" int not null default 0, add "adjustment_revenue_cents" bigint not null default '0', add "adjustment_commission_cents" bigint not null default '0';`,
    );
    this.addSql(`alter table "ledger_days" alter column "commission_cents" set default '0';`);
    this.addSql(`alter table "ledger_days" alter column "redemptions" set default 0;`);
    this.addSql(`alter table "ledger_days" alter column "revenue_cents" set default '0';`);

    this.addSql(`drop index "redemptions_partnership_index";`);
    this.addSql(
      `create index redemptions_partner_time_index on redemptions (partnership_id, redeemed_at, id) where partnership_id is not null;`,
    );

    this.addSql(
      `alter table "partner_totals" add constraint "partner_totals_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "partner_months" add constraint "partner_months_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "partner_days" add constraint "partner_days_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "partner_calendars" add constraint "partner_calendars_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "ledger_adjustments" add constraint "ledger_adjustments_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "ledger_adjustments" add constraint "ledger_adjustments_redemption_id_developer_id_foreign" foreign key ("redemption_id", "developer_id") references "redemptions" ("id", "developer_id") on update no action on delete restrict;`,
    );
    this.addSql(
      `alter table "ledger_adjustments" add constraint "ledger_adjustments_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "ledger_adjustments" add constraint "ledger_adjustments_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action;`,
    );
    this.addSql(
      `alter table "ledger_adjustments" add constraint "ledger_adjustments_kind_check" check (kind in ('refund', 'chargeback', 'reinstatement', 'correction'));`,
    );
    this.addSql(`alter table "ledger_adjustments" add constraint "ledger_adjustments_sign_check" check (case when kind in ('refund', 'chargeback') then revenue_cents <= 0 and commission_cents <= 0
        when kind = 'reinstatement' then revenue_cents >= 0 and commission_cents >= 0 else true end);`);
    this.addSql(
      `create or replace function "ledger_adjustments_ledger_adjustments_append_only_fn"() returns trigger as $$ begin raise exception 'the ledger is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "ledger_adjustments_append_only" BEFORE UPDATE OR DELETE on "ledger_adjustments" for each ROW execute function "ledger_adjustments_ledger_adjustments_append_only_fn"();`,
    );

    this.addSql(`insert into "partner_totals" (developer_id, partnership_id, product_id, redemptions, imports, revenue_cents, commission_cents)
      select developer_id, partnership_id, product_id, count(*) filter (where source <> 'import'), count(*) filter (where source = 'import'),
        coalesce(sum(final_price_cents) filter (where source <> 'import'), 0), coalesce(sum(commission_cents) filter (where source <> 'import'), 0)
      from redemptions where partnership_id is not null group by 1, 2, 3;`);
    this.addSql(`insert into "partner_months" (developer_id, partnership_id, month, product_id, redemptions, imports, revenue_cents, commission_cents)
      select developer_id, partnership_id, date_trunc('month', redeemed_at at time zone 'UTC')::date, product_id,
        count(*) filter (where source <> 'import'), count(*) filter (where source = 'import'),
        coalesce(sum(final_price_cents) filter (where source <> 'import'), 0), coalesce(sum(commission_cents) filter (where source <> 'import'), 0)
      from redemptions where partnership_id is not null group by 1, 2, 3, 4;`);
    this.addSql(`insert into "partner_days" (developer_id, partnership_id, day, product_id, redemptions, imports, revenue_cents, commission_cents)
      select developer_id, partnership_id, (redeemed_at at time zone 'UTC')::date, product_id,
        count(*) filter (where source <> 'import'), count(*) filter (where source = 'import'),
        coalesce(sum(final_price_cents) filter (where source <> 'import'), 0), coalesce(sum(commission_cents) filter (where source <> 'import'), 0)
      from redemptions where partnership_id is not null group by 1, 2, 3, 4;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "partner_totals" cascade;`);
    this.addSql(`drop table if exists "partner_months" cascade;`);
    this.addSql(`drop table if exists "partner_days" cascade;`);
    this.addSql(`drop table if exists "partner_calendars" cascade;`);
    this.addSql(`drop trigger if exists "ledger_adjustments_append_only" on "ledger_adjustments";`);
    this.addSql(`drop function if exists "ledger_adjustments_ledger_adjustments_append_only_fn"();`);
    this.addSql(`drop table if exists "ledger_adjustments" cascade;`);

    this.addSql(
      `alter table "ledger_days" drop column "adjustments", drop column "adjustment_revenue_cents", drop column "adjustment_commission_cents";`,
    );
    this.addSql(`alter table "ledger_days" alter column "redemptions" drop default;`);
    this.addSql(`alter table "ledger_days" alter column "revenue_cents" drop default;`);
    this.addSql(`alter table "ledger_days" alter column "commission_cents" drop default;`);

    this.addSql(`drop index "redemptions_partner_time_index";`);
    this.addSql(`create index "redemptions_partnership_index" on "redemptions" ("partnership_id");`);
  }
}
