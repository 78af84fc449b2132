import { Migration } from '@mikro-orm/migrations';

export class Migration20261121235129_email_verification extends Migration {
  override name = 'Migration20261121235129_email_verification';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "email_verifications" ("id" uuid not null, "user_id" uuid not null, "token_hash" bytea not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "email_verifications_user_id_index" on "email_verifications" ("user_id");`);
    this.addSql(
      `alter table "email_verifications" add constraint "email_verifications_token_hash_unique" unique ("token_hash");`,
    );

    this.addSql(`alter table "users" add "email_verified_at" timestamptz(3) null;`);

    this.addSql(
      `alter table "email_verifications" add constraint "email_verifications_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "email_verifications" cascade;`);

    this.addSql(`alter table "users" drop column "email_verified_at";`);
  }
}
