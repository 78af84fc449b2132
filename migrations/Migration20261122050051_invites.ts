import { Migration } from '@mikro-orm/migrations';

export class Migration20261122050051_invites extends Migration {
  override name = 'Migration20261122050051_invites';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "invites" ("id" uuid not null, "inviter_id" uuid not null, "role" varchar(255) not null, "email" text not null, "email_key" text not null, "partnership_id" uuid null, "commission_bps" int not null default 2000, "message" text null, "state" varchar(255) not null, "request_id" uuid not null, "created_at" timestamptz(3) not null, "sent_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "answered_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "invites_inviter_index" on "invites" ("inviter_id", "id");`);
    this.addSql(`create index "invites_email_index" on "invites" ("email_key", "id");`);
    this.addSql(`create index "invites_expiry_index" on "invites" ("expires_at") where state = 'pending';`);
    this.addSql(
      `create unique index "invites_pending_unique" on "invites" ("inviter_id", "email_key") where state = 'pending';`,
    );

    this.addSql(
      `create unique index "partnerships_pair_unique" on "partnerships" ("reseller_id", "developer_id") where status <> 'ended';`,
    );
    this.addSql(
      `alter table "partnerships" add constraint "partnerships_reseller_check" check ((status = 'named') = (reseller_id is null));`,
    );

    this.addSql(
      `alter table "invites" add constraint "invites_inviter_id_foreign" foreign key ("inviter_id") references "users" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "invites" add constraint "invites_role_check" check (role in ('developer', 'reseller'));`);
    this.addSql(
      `alter table "invites" add constraint "invites_state_check" check (state in ('pending', 'accepted', 'rejected', 'withdrawn', 'expired'));`,
    );
    this.addSql(
      `alter table "invites" add constraint "invites_commission_check" check (commission_bps >= 0 and commission_bps <= 10000);`,
    );
    this.addSql(
      `alter table "invites" add constraint "invites_answered_check" check ((state = 'pending') = (answered_at is null));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "invites" cascade;`);

    this.addSql(`drop index "partnerships_pair_unique";`);
    this.addSql(`alter table "partnerships" drop constraint "partnerships_reseller_check";`);
  }
}
