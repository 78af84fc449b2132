import { Migration } from '@mikro-orm/migrations';

export class Migration20261122180524_billing_reasons extends Migration {
  override name = 'Migration20261122180524_billing_reasons';

  override up(): void | Promise<void> {
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122180524_billing_reasons');`);
    this.addSql(`drop trigger if exists "billing_statements_frozen" on "billing_statements";`);
    this.addSql(`drop function if exists "billing_statements_billing_statements_frozen_fn"();`);
    this.addSql(`alter table "billing_statements" add "last_reason" text null;`);
    this.addSql(
      `create or replace function "billing_statements_billing_statements_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'last_reason', 'paid_at'] is distinct from to_jsonb(old) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'last_reason', 'paid_at'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_statements_frozen" BEFORE UPDATE OR DELETE on "billing_statements" for each ROW execute function "billing_statements_billing_statements_frozen_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "billing_statements_frozen" on "billing_statements";`);
    this.addSql(`drop function if exists "billing_statements_billing_statements_frozen_fn"();`);
    this.addSql(`alter table "billing_statements" drop column "last_reason";`);
    this.addSql(
      `create or replace function "billing_statements_billing_statements_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'paid_at'] is distinct from to_jsonb(old) - array['state', 'stripe_invoice_id', 'attempts', 'next_attempt_at', 'first_failed_at', 'lease_until', 'last_error', 'paid_at'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "billing_statements_frozen" BEFORE UPDATE OR DELETE on "billing_statements" for each ROW execute function "billing_statements_billing_statements_frozen_fn"();`,
    );
  }
}
