import { Migration } from '@mikro-orm/migrations';

export class Migration20261122144235_billing_statements extends Migration {
  override name = 'Migration20261122144235_billing_statements';

  override up(): void | Promise<void> {
    this.addSql(`create table "billing_numbers" ("year" int not null, "last" int not null, primary key ("year"));`);

    this.addSql(
      `create table "billing_statements" ("id" uuid not null, "developer_id" uuid not null, "month" date not null, "number" text not null, "plan" text not null, "fee_cents" bigint not null, "redemptions" int not null, "overage_redemptions" int not null, "overage_cents" bigint not null, "refresh_count" int not null, "refresh_cents" bigint not null, "total_cents" bigint not null, "party" jsonb not null, "closed_at" timestamptz(3) not null, "state" varchar(255) not null, "stripe_invoice_id" text null, "attempts" int not null default 0, "next_attempt_at" timestamptz(3) null, "first_failed_at" timestamptz(3) null, "lease_until" timestamptz(3) null, "last_error" text null, "paid_at" timestamptz(3) null, primary key ("id", "developer_id"));`,
    );
    this.addSql(
      `create index "billing_statements_list_index" on "billing_statements" ("developer_id", "month", "id") where closed_at > '-infinity';`,
    );
    this.addSql(
      `create index billing_statements_due_index on billing_statements (next_attempt_at) where next_attempt_at is not null;`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_month_unique" unique ("month", "developer_id");`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_number_unique" unique ("number", "developer_id");`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_invoice_unique" unique ("stripe_invoice_id", "developer_id");`,
    );

    this.addSql(
      `create table "billing_lines" ("developer_id" uuid not null, "id" uuid not null, "statement_id" uuid not null, "n" int not null, "kind" varchar(255) not null, "description" text not null, "quantity" int not null, "unit_cents" int null, "amount_cents" bigint not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(
      `alter table "billing_lines" add constraint "billing_lines_n_unique" unique ("statement_id", "developer_id", "n");`,
    );

    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_state_check" check (state in ('rated', 'settled', 'local', 'invoiced', 'open', 'paid', 'failed', 'uncollectible', 'void'));`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_total_check" check (total_cents = fee_cents + overage_cents + refresh_cents);`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_figures_check" check (fee_cents >= 0 and overage_redemptions >= 0 and overage_redemptions <= redemptions and overage_cents >= 0 and refresh_count >= 0 and refresh_cents >= 0 and attempts >= 0);`,
    );
    this.addSql(
      `create or replace function "billing_statements_billing_statements_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'paid_at'] is distinct from to_jsonb(old) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'paid_at'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_statements_frozen" BEFORE UPDATE OR DELETE on "billing_statements" for each ROW execute function "billing_statements_billing_statements_frozen_fn"();`,
    );

    this.addSql(
      `alter table "billing_lines" add constraint "billing_lines_statement_id_developer_id_foreign" foreign key ("statement_id", "developer_id") references "billing_statements" ("id", "developer_id") on update no action on delete no action;`,
    );
    this.addSql(
      `alter table "billing_lines" add constraint "billing_lines_kind_check" check (kind in ('fee', 'overage', 'refresh'));`,
    );
    this.addSql(
      `alter table "billing_lines" add constraint "billing_lines_amount_check" check (quantity > 0 and amount_cents > 0 and (unit_cents is null or amount_cents = quantity::bigint * unit_cents));`,
    );
    this.addSql(
      `create or replace function "billing_lines_billing_lines_append_only_fn"() returns trigger as $$ begin raise exception 'a statement is frozen'; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_lines_append_only" BEFORE UPDATE OR DELETE on "billing_lines" for each ROW execute function "billing_lines_billing_lines_append_only_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "billing_lines" drop constraint "billing_lines_statement_id_developer_id_foreign";`);

    this.addSql(`drop table if exists "billing_numbers" cascade;`);
    this.addSql(`drop trigger if exists "billing_statements_frozen" on "billing_statements";`);
    this.addSql(`drop function if exists "billing_statements_billing_statements_frozen_fn"();`);
    this.addSql(`drop table if exists "billing_statements" cascade;`);
    this.addSql(`drop trigger if exists "billing_lines_append_only" on "billing_lines";`);
    this.addSql(`drop function if exists "billing_lines_billing_lines_append_only_fn"();`);
    this.addSql(`drop table if exists "billing_lines" cascade;`);
  }
}
