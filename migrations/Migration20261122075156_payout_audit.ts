import { Migration } from '@mikro-orm/migrations';

export class Migration20261122075156_payout_audit extends Migration {
  override name = 'Migration20261122075156_payout_audit';

  override up(): void | Promise<void> {
    this.addSql(`drop trigger if exists "payouts_frozen" on "payouts";`);
    this.addSql(`drop function if exists "payouts_payouts_frozen_fn"();`);
    this.addSql(`alter table "payouts" add "difference" text null;`);
    this.addSql(
      `create or replace function "payouts_payouts_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at', 'difference'] is distinct from to_jsonb(old) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at', 'difference'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payouts_frozen" BEFORE UPDATE OR DELETE on "payouts" for each ROW execute function "payouts_payouts_frozen_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "payouts_frozen" on "payouts";`);
    this.addSql(`drop function if exists "payouts_payouts_frozen_fn"();`);
    this.addSql(`alter table "payouts" drop column "difference";`);
    this.addSql(
      `create or replace function "payouts_payouts_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at'] is distinct from to_jsonb(old) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payouts_frozen" BEFORE DELETE OR UPDATE on "payouts" for each ROW execute function "payouts_payouts_frozen_fn"();`,
    );
  }
}
