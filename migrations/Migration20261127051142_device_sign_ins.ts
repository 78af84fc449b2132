import { Migration } from '@mikro-orm/migrations';

export class Migration20261127051142_device_sign_ins extends Migration {
  override name = 'Migration20261127051142_device_sign_ins';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "device_sign_ins" ("id" uuid not null, "device_code_hash" bytea not null, "user_code_hash" bytea not null, "machine" text null, "user_agent" text null, "ip" text not null, "country" text null, "state" varchar(255) not null default 'pending', "session_id" uuid null, "interval_seconds" int not null, "polled_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "device_sign_ins" add constraint "device_sign_ins_device_code_hash_unique" unique ("device_code_hash");`,
    );
    this.addSql(
      `alter table "device_sign_ins" add constraint "device_sign_ins_user_code_hash_unique" unique ("user_code_hash");`,
    );
    this.addSql(`create index "device_sign_ins_session_id_index" on "device_sign_ins" ("session_id");`);
    this.addSql(`create index "device_sign_ins_expires_at_index" on "device_sign_ins" ("expires_at");`);

    this.addSql(`alter table "sessions" add "machine" text null;`);

    this.addSql(
      `alter table "device_sign_ins" add constraint "device_sign_ins_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "device_sign_ins" add constraint "device_sign_ins_state_check" check (state in ('pending', 'approved', 'denied'));`,
    );
    this.addSql(
      `alter table "device_sign_ins" add constraint "device_sign_ins_answered_check" check ((state = 'pending') = (session_id is null));`,
    );

    // the release before reads and writes neither
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127051142_device_sign_ins');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127051142_device_sign_ins';`);

    this.addSql(`drop table if exists "device_sign_ins" cascade;`);

    this.addSql(`alter table "sessions" drop column "machine";`);
  }
}
