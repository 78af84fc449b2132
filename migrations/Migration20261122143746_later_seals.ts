import { Migration } from '@mikro-orm/migrations';

export class Migration20261122143746_later_seals extends Migration {
  override name = 'Migration20261122143746_later_seals';

  override up(): void | Promise<void> {
    this.addSql(`drop trigger if exists "payouts_frozen" on "payouts";`);
    this.addSql(`drop function if exists "payouts_payouts_frozen_fn"();`);
    this.addSql(`alter table "payouts" alter column "digest" drop not null;`);
    this.addSql(`alter table "payouts" alter column "rows_digest" drop not null;`);
    this.addSql(
      `create index "payouts_unsealed_index" on "payouts" ("partnership_id", "developer_id") where digest is null;`,
    );
    this.addSql(
      `alter table "payouts" add constraint "payouts_sealed_check" check ((digest is null) = (rows_digest is null) and (digest is not null or previous_digest is null));`,
    );
    this.addSql(
      `create or replace function "payouts_payouts_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - (array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at', 'difference'] || case when old.digest is null then array['rows_digest', 'digest', 'previous_digest'] else array[]::text[] end) is distinct from to_jsonb(old) - (array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at', 'difference'] || case when old.digest is null then array['rows_digest', 'digest', 'previous_digest'] else array[]::text[] end) then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payouts_frozen" BEFORE UPDATE OR DELETE on "payouts" for each ROW execute function "payouts_payouts_frozen_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "payouts_unsealed_index";`);
    this.addSql(`alter table "payouts" drop constraint "payouts_sealed_check";`);
    this.addSql(`drop trigger if exists "payouts_frozen" on "payouts";`);
    this.addSql(`drop function if exists "payouts_payouts_frozen_fn"();`);
    this.addSql(`alter table "payouts" alter column "rows_digest" set not null;`);
    this.addSql(`alter table "payouts" alter column "digest" set not null;`);
    this.addSql(
      `create or replace function "payouts_payouts_frozen_fn"() returns trigger as $$ begin if tg_op = 'DELETE' or to_jsonb(new) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at', 'difference'] is distinct from to_jsonb(old) - array['status', 'confirmed_at', 'disputed_at', 'paid_cents', 'paid_at', 'carried_cents', 'announced_at', 'remind_at', 'difference'] then raise exception 'a statement is frozen'; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "payouts_frozen" BEFORE UPDATE OR DELETE on "payouts" for each ROW execute function "payouts_payouts_frozen_fn"();`,
    );
  }
}
