import { Migration } from '@mikro-orm/migrations';

export class Migration20261127051119_oidc_trusts extends Migration {
  override name = 'Migration20261127051119_oidc_trusts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "spent_identity_tokens" ("hash" bytea not null, "expires_at" timestamptz(3) not null, primary key ("hash"));`,
    );
    this.addSql(`create index "spent_identity_tokens_expires_at_index" on "spent_identity_tokens" ("expires_at");`);

    this.addSql(
      `create table "oidc_trusts" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "issuer" text not null, "repository_id" text not null, "branch" text null, "environment" text null, "scopes" text[] not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "oidc_trusts_user_id_index" on "oidc_trusts" ("user_id");`);

    this.addSql(`alter table "access_tokens" add "trust_id" uuid null;`);
    this.addSql(
      `alter table "access_tokens" add constraint "access_tokens_trust_id_foreign" foreign key ("trust_id") references "oidc_trusts" ("id") on delete cascade;`,
    );
    this.addSql(`create index "access_tokens_trust_id_index" on "access_tokens" ("trust_id");`);

    this.addSql(
      `alter table "oidc_trusts" add constraint "oidc_trusts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "oidc_trusts" add constraint "oidc_trusts_where_check" check (branch is not null or environment is not null);`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127051119_oidc_trusts');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127051119_oidc_trusts';`);

    this.addSql(`alter table "access_tokens" drop constraint "access_tokens_trust_id_foreign";`);

    this.addSql(`drop table if exists "spent_identity_tokens" cascade;`);
    this.addSql(`drop table if exists "oidc_trusts" cascade;`);

    this.addSql(`drop index "access_tokens_trust_id_index";`);
    this.addSql(`alter table "access_tokens" drop column "trust_id";`);
  }
}
