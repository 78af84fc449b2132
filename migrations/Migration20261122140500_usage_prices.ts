import { Migration } from '@mikro-orm/migrations';

export class Migration20261122140500_usage_prices extends Migration {
  override name = 'Migration20261122140500_usage_prices';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "usage_days" ("developer_id" uuid not null, "day" date not null, "redemptions" int not null default 0, "cost_cents" bigint not null default '0', "refresh_count" int not null default 0, "refresh_cents" bigint not null default '0', primary key ("developer_id", "day"));`,
    );

    this.addSql(
      `create table "plan_changes" ("developer_id" uuid not null, "id" uuid not null, "from_plan" text not null, "to_plan" text not null, "changed_at" timestamptz(3) not null, "changed_by" uuid not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "plan_changes_developer_time_index" on "plan_changes" ("developer_id", "changed_at");`);

    this.addSql(
      `alter table "usage_months" add "plan" text null, add "overage_redemptions" int not null default 0, add "overage_cents" bigint not null default '0', add "refresh_count" int not null default 0, add "refresh_cents" bigint not null default '0', add "warned_percent" int not null default 0, add "refusal_noted_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "usage_months" add constraint "usage_months_plan_check" check (plan in ('free', 'creator', 'pro', 'elite'));`,
    );
    this.addSql(
      `alter table "usage_months" add constraint "usage_months_money_check" check (overage_redemptions >= 0 and overage_redemptions <= redemptions and overage_cents >= 0 and refresh_count >= 0 and refresh_cents >= 0);`,
    );

    this.addSql(`alter table "redemptions" drop constraint "redemptions_money_check";`);
    this.addSql(`alter table "redemptions" add "usage_cents" int not null default 0;`);
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_money_check" check (final_price_cents >= 0 and commission_cents >= 0 and usage_cents >= 0);`,
    );

    this.addSql(
      `alter table "usage_days" add constraint "usage_days_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "plan_changes" add constraint "plan_changes_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "plan_changes" add constraint "plan_changes_plan_check" check (from_plan in ('free', 'creator', 'pro', 'elite') and to_plan in ('free', 'creator', 'pro', 'elite'));`,
    );
    this.addSql(
      `create or replace function "plan_changes_plan_changes_append_only_fn"() returns trigger as $$ begin raise exception 'the history of plans is append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "plan_changes_append_only" BEFORE UPDATE OR DELETE on "plan_changes" for each ROW execute function "plan_changes_plan_changes_append_only_fn"();`,
    );

    // what has happened until now was not billed: it is counted, at the price of 0 that its columns begin with
    this.addSql(`insert into usage_days (developer_id, day, redemptions)
      select developer_id, (redeemed_at at time zone 'UTC')::date, count(*) from redemptions where source <> 'import' group by 1, 2;`);
    this.addSql(`insert into usage_days as d (developer_id, day, refresh_count, refresh_cents)
      select developer_id, (refreshed_at at time zone 'UTC')::date, count(*), sum(cost_cents) from refresh_charges group by 1, 2
      on conflict (developer_id, day) do update set refresh_count = excluded.refresh_count, refresh_cents = excluded.refresh_cents;`);
    // a month of the past in which nothing else happened stays closed
    this.addSql(`insert into usage_months as m (developer_id, month, redemptions, refresh_count, refresh_cents, closed_at)
      select developer_id, month, 0, count(*), sum(cost_cents),
        case when month < date_trunc('month', now() at time zone 'UTC')::date then now() end
      from (select developer_id, date_trunc('month', refreshed_at at time zone 'UTC')::date as month, cost_cents from refresh_charges) c
      group by 1, 2
      on conflict (developer_id, month) do update set refresh_count = excluded.refresh_count, refresh_cents = excluded.refresh_cents;`);
    this.addSql(`insert into plan_changes (developer_id, id, from_plan, to_plan, changed_at, changed_by)
      select id, gen_random_uuid(), 'free', plan, now(), id from users where plan <> 'free';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "usage_days" cascade;`);
    this.addSql(`drop trigger if exists "plan_changes_append_only" on "plan_changes";`);
    this.addSql(`drop function if exists "plan_changes_plan_changes_append_only_fn"();`);
    this.addSql(`drop table if exists "plan_changes" cascade;`);

    this.addSql(`alter table "redemptions" drop constraint "redemptions_money_check";`);
    this.addSql(`alter table "redemptions" drop column "usage_cents";`);
    this.addSql(
      `alter table "redemptions" add constraint "redemptions_money_check" check (final_price_cents >= 0 and commission_cents >= 0);`,
    );

    this.addSql(`alter table "usage_months" drop constraint "usage_months_plan_check";`);
    this.addSql(`alter table "usage_months" drop constraint "usage_months_money_check";`);
    this.addSql(
      `alter table "usage_months" drop column "plan", drop column "overage_redemptions", drop column "overage_cents", drop column "refresh_count", drop column "refresh_cents", drop column "warned_percent", drop column "refusal_noted_at";`,
    );
  }
}
