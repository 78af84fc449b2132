import { Migration } from '@mikro-orm/migrations';

export class Migration20261127155426_license_device_codes extends Migration {
  override name = 'Migration20261127155426_license_device_codes';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "license_seat_codes" ("developer_id" uuid not null, "id" uuid not null, "serial_id" uuid not null, "customer_id" uuid not null, "machine_hash" bytea not null, "code_hash" bytea not null, "tries" int not null default 0, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "license_seat_codes_created_at_index" on "license_seat_codes" ("created_at");`);
    this.addSql(
      `create index "license_seat_codes_serial_index" on "license_seat_codes" ("serial_id", "developer_id", "created_at");`,
    );

    this.addSql(
      `create table "license_device_codes" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "device_code_hash" bytea not null, "user_code_hash" bytea not null, "machine_id" text not null, "old_machine_ids" text[] not null, "version" text null, "label" text null, "os" text null, "ip" text not null, "country" text null, "state" varchar(255) not null default 'pending', "serial_id" uuid null, "customer_id" uuid null, "by_email" boolean not null default false, "interval_seconds" int not null, "polled_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("developer_id", "id"));`,
    );
    this.addSql(`create index "license_device_codes_expires_at_index" on "license_device_codes" ("expires_at");`);
    this.addSql(
      `create index "license_device_codes_product_index" on "license_device_codes" ("product_id", "developer_id", "expires_at");`,
    );
    this.addSql(
      `create index license_device_codes_serial_index on license_device_codes (serial_id) where serial_id is not null;`,
    );
    this.addSql(
      `alter table "license_device_codes" add constraint "license_device_codes_device_unique" unique ("developer_id", "device_code_hash");`,
    );
    this.addSql(
      `alter table "license_device_codes" add constraint "license_device_codes_user_unique" unique ("developer_id", "user_code_hash");`,
    );

    this.addSql(
      `alter table "license_seat_codes" add constraint "license_seat_codes_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete cascade;`,
    );

    this.addSql(
      `alter table "license_device_codes" add constraint "license_device_codes_product_id_developer_id_foreign" foreign key ("product_id", "developer_id") references "products" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "license_device_codes" add constraint "license_device_codes_serial_id_developer_id_foreign" foreign key ("serial_id", "developer_id") references "serials" ("id", "developer_id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "license_device_codes" add constraint "license_device_codes_state_check" check (state in ('pending', 'confirmed', 'denied'));`,
    );
    this.addSql(
      `alter table "license_device_codes" add constraint "license_device_codes_confirmed_check" check ((state = 'confirmed') = (serial_id is not null));`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127155426_license_device_codes');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127155426_license_device_codes';`);

    this.addSql(`drop table if exists "license_seat_codes" cascade;`);
    this.addSql(`drop table if exists "license_device_codes" cascade;`);
  }
}
