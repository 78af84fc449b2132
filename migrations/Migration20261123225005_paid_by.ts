import { Migration } from '@mikro-orm/migrations';

export class Migration20261123225005_paid_by extends Migration {
  override name = 'Migration20261123225005_paid_by';

  override up(): void | Promise<void> {
    this.addSql(`drop trigger if exists "billing_statements_frozen" on "billing_statements";`);
    this.addSql(`drop function if exists "billing_statements_billing_statements_frozen_fn"();`);
    this.addSql(
      `alter table "billing_statements" add "paid_by" varchar(255) null, add "charged_cents" bigint null, add "balance_cents" bigint null;`,
    );
    this.addSql(
      `alter table "billing_statements" add constraint "billing_statements_paid_by_check" check (paid_by in ('card', 'balance', 'next_invoice', 'elsewhere') and (paid_by is null) = (charged_cents is null) and (paid_by is null) = (balance_cents is null));`,
    );
    this.addSql(
      `create or replace function "billing_statements_billing_statements_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'last_reason', 'paid_at', 'paid_by', 'charged_cents', 'balance_cents'] is distinct from to_jsonb(old) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'last_reason', 'paid_at', 'paid_by', 'charged_cents', 'balance_cents'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_statements_frozen" BEFORE UPDATE OR DELETE on "billing_statements" for each ROW execute function "billing_statements_billing_statements_frozen_fn"();`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123225005_paid_by');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "billing_statements" drop constraint "billing_statements_paid_by_check";`);
    this.addSql(`drop trigger if exists "billing_statements_frozen" on "billing_statements";`);
    this.addSql(`drop function if exists "billing_statements_billing_statements_frozen_fn"();`);
    this.addSql(
      `alter table "billing_statements" drop column "paid_by", drop column "charged_cents", drop column "balance_cents";`,
    );
    this.addSql(
      `create or replace function "billing_statements_billing_statements_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'last_reason', 'paid_at'] is distinct from to_jsonb(old) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'last_reason', 'paid_at'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_statements_frozen" BEFORE UPDATE OR DELETE on "billing_statements" for each ROW execute function "billing_statements_billing_statements_frozen_fn"();`,
    );
  }
}
