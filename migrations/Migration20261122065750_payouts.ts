import { Migration } from '@mikro-orm/migrations';

export class Migration20261122065750_payouts extends Migration {
  override name = 'Migration20261122065750_payouts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "payout_numbers" ("developer_id" uuid not null, "year" int not null, "last" int not null, primary key ("developer_id", "year"));`,
    );

    this.addSql(
      `create table "payouts" ("id" uuid not null, "developer_id" uuid not null, "partnership_id" uuid not null, "month" date not null, "number" text not null, "position" int not null, "total_redemptions" int not null, "total_revenue_cents" bigint not null, "avg_price_cents" bigint not null, "reseller_earned_cents" bigint not null, "developer_owed_cents" bigint not null, "adjustments" int not null, "adjustment_revenue_cents" bigint not null, "adjustment_commission_cents" bigint not null, "brought_forward_cents" bigint not null, "due_cents" bigint not null, "rates" jsonb not null, "products" jsonb not null, "parties" jsonb not null, "rows_digest" text not null, "digest" text not null, "previous_digest" text null, "closed_at" timestamptz(3) not null, "status" varchar(255) not null, "confirmed_at" timestamptz(3) null, "disputed_at" timestamptz(3) null, "paid_cents" bigint not null default '0', "paid_at" timestamptz(3) null, "carried_cents" bigint not null default '0', "announced_at" timestamptz(3) null, "remind_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "payouts_list_index" on "payouts" ("developer_id", "month", "id") where closed_at > '-infinity';`,
    );
    this.addSql(
      `create index payouts_credit_index on payouts (developer_id) where closed_at > '-infinity' and paid_cents - due_cents - carried_cents > 0;`,
    );
    this.addSql(`create index payouts_remind_index on payouts (remind_at) where remind_at is not null;`);
    this.addSql(
      `alter table "payouts" add constraint "payouts_month_unique" unique ("partnership_id", "developer_id", "month");`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_position_unique" unique ("partnership_id", "developer_id", "position");`,
    );
    this.addSql(`alter table "payouts" add constraint "payouts_number_unique" unique ("number", "developer_id");`);

    this.addSql(
      `create table "payout_payments" ("developer_id" uuid not null, "id" uuid not null, "payout_id" uuid not null, "n" int not null, "amount_cents" bigint not null, "paid_on" date not null, "method" text null, "reference" text null, "reverses" int null, "reason" text null, "recorded_by" uuid not null, "recorded_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "payout_payments" add constraint "payout_payments_n_unique" unique ("payout_id", "developer_id", "n");`,
    );
    this.addSql(
      `alter table "payout_payments" add constraint "payout_payments_reverses_unique" unique ("payout_id", "developer_id", "reverses");`,
    );

    this.addSql(
      `create table "payout_messages" ("developer_id" uuid not null, "id" uuid not null, "payout_id" uuid not null, "author_id" uuid null, "kind" varchar(255) not null, "text" text null, "created_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index payout_messages_payout_index on payout_messages (payout_id, id);`);

    this.addSql(`alter table "usage_months" add "closed_at" timestamptz(3) null;`);
    this.addSql(
      `create index "usage_months_open_index" on "usage_months" ("month", "developer_id") where closed_at is null;`,
    );

    this.addSql(
      `alter table "payout_numbers" add constraint "payout_numbers_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "payouts" add constraint "payouts_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_status_check" check (status in ('pending', 'confirmed', 'disputed', 'paid', 'settled'));`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_owed_check" check (developer_owed_cents = total_revenue_cents - reseller_earned_cents);`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_due_check" check (due_cents = developer_owed_cents + adjustment_revenue_cents - adjustment_commission_cents + brought_forward_cents);`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_brought_forward_check" check (brought_forward_cents <= 0);`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_paid_check" check (paid_cents >= 0 and carried_cents >= 0);`,
    );
    this.addSql(
      `create or replace function "payouts_payouts_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at'] is distinct from to_jsonb(old) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payouts_frozen" BEFORE UPDATE OR DELETE on "payouts" for each ROW execute function "payouts_payouts_frozen_fn"();`,
    );

    this.addSql(
      `alter table "payout_payments" add constraint "payout_payments_payout_id_developer_id_foreign" foreign key ("payout_id", "developer_id") references "payouts" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "payout_payments" add constraint "payout_payments_amount_check" check ((reverses is null and amount_cents > 0) or (reverses is not null and amount_cents < 0 and reason is not null));`,
    );
    this.addSql(
      `create or replace function "payout_payments_payout_payments_append_only_fn"() returns trigger as $$ begin raise exception 'payments are append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payout_payments_append_only" BEFORE UPDATE OR DELETE on "payout_payments" for each ROW execute function "payout_payments_payout_payments_append_only_fn"();`,
    );

    this.addSql(
      `alter table "payout_messages" add constraint "payout_messages_payout_id_developer_id_foreign" foreign key ("payout_id", "developer_id") references "payouts" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "payout_messages" add constraint "payout_messages_kind_check" check (kind in ('confirm', 'dispute', 'answer'));`,
    );
    this.addSql(
      `create or replace function "payout_messages_payout_messages_append_only_fn"() returns trigger as $$ begin raise exception 'messages are append-only'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payout_messages_append_only" BEFORE UPDATE OR DELETE on "payout_messages" for each ROW execute function "payout_messages_payout_messages_append_only_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "payout_payments" drop constraint "payout_payments_payout_id_developer_id_foreign";`);
    this.addSql(`alter table "payout_messages" drop constraint "payout_messages_payout_id_developer_id_foreign";`);

    this.addSql(`drop table if exists "payout_numbers" cascade;`);
    this.addSql(`drop trigger if exists "payouts_frozen" on "payouts";`);
    this.addSql(`drop function if exists "payouts_payouts_frozen_fn"();`);
    this.addSql(`drop table if exists "payouts" cascade;`);
    this.addSql(`drop trigger if exists "payout_payments_append_only" on "payout_payments";`);
    this.addSql(`drop function if exists "payout_payments_payout_payments_append_only_fn"();`);
    this.addSql(`drop table if exists "payout_payments" cascade;`);
    this.addSql(`drop trigger if exists "payout_messages_append_only" on "payout_messages";`);
    this.addSql(`drop function if exists "payout_messages_payout_messages_append_only_fn"();`);
    this.addSql(`drop table if exists "payout_messages" cascade;`);

    this.addSql(`drop index "usage_months_open_index";`);
    this.addSql(`alter table "usage_months" drop column "closed_at";`);
  }
}
