import { Migration } from '@mikro-orm/migrations';

export class Migration20261123182915_seat_sums extends Migration {
  override name = 'Migration20261123182915_seat_sums';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "seat_changes" ("developer_id" uuid not null, "id" uuid not null, "product_id" uuid not null, "machine" bigint not null, "version" text not null, "os" text not null, "seen_on" date not null, "seats" int not null, primary key ("developer_id", "id"));`,
    );

    this.addSql(
      `create table "seat_sums" ("developer_id" uuid not null, "seen_on" date not null, "product_id" uuid not null, "version" text not null, "os" text not null, "seats" int not null, primary key ("developer_id", "seen_on", "product_id", "version", "os"));`,
    );

    this.addSql(
      `create table "seat_machines" ("developer_id" uuid not null, "machine" bigint not null, "product_id" uuid not null, "seen_on" date not null, "seats" int not null, primary key ("developer_id", "machine", "product_id", "seen_on"));`,
    );

    this.addSql(
      `create table "seat_counts" ("developer_id" uuid not null, "counted_at" timestamptz(3) null, primary key ("developer_id"));`,
    );

    this.addSql(
      `create table "machine_sums" ("developer_id" uuid not null, "product_id" uuid not null, "seen_on" date not null, "machines" int not null, primary key ("developer_id", "product_id", "seen_on"));`,
    );

    this.addSql(`create or replace function "activations_activations_noted_fn"() returns trigger as $$ begin if tg_op = 'UPDATE' and (old.released_at is null, old.version, old.os, (old.last_seen_at at time zone 'UTC')::date)
    is not distinct from (new.released_at is null, new.version, new.os, (new.last_seen_at at time zone 'UTC')::date) then return null; end if;   insert into seat_changes (developer_id, id, product_id, machine, version, os, seen_on, seats)
  select n.developer_id, gen_random_uuid(), b.product_id, n.machine, n.version, n.os, n.seen_on, n.seats
  from (select old.developer_id, old.serial_id, hashtextextended(old.machine_id, 0), coalesce(old.version, ''), coalesce(old.os, ''), (old.last_seen_at at time zone 'UTC')::date, -1 where tg_op <> 'INSERT' and old.released_at is null
    union all select new.developer_id, new.serial_id, hashtextextended(new.machine_id, 0), coalesce(new.version, ''), coalesce(new.os, ''), (new.last_seen_at at time zone 'UTC')::date, 1 where tg_op <> 'DELETE' and new.released_at is null
  ) n (developer_id, serial_id, machine, version, os, seen_on, seats)
    join serials s on (s.developer_id, s.id) = (n.developer_id, n.serial_id)
    join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id);   if not found and tg_op = 'DELETE' and old.released_at is null then
    update seat_counts set counted_at = null where developer_id = old.developer_id;   end if;   return null; end; $$ language plpgsql;`);
    this.addSql(
      `create trigger "activations_noted" AFTER INSERT OR UPDATE OR DELETE on "activations" for each ROW execute function "activations_activations_noted_fn"();`,
    );

    this.addSql(
      `alter table "seat_sums" add constraint "seat_sums_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "seat_machines" add constraint "seat_machines_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(
      `alter table "seat_counts" add constraint "seat_counts_developer_id_foreign" foreign key ("developer_id") references "users" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "machine_sums" add constraint "machine_sums_developer_id_foreign" foreign key ("developer_id") references "users" ("id");`,
    );

    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123182915_seat_sums');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "activations_noted" on "activations";`);
    this.addSql(`drop function if exists "activations_activations_noted_fn"();`);
    this.addSql(`drop table if exists "seat_changes" cascade;`);
    this.addSql(`drop table if exists "seat_sums" cascade;`);
    this.addSql(`drop table if exists "seat_machines" cascade;`);
    this.addSql(`drop table if exists "seat_counts" cascade;`);
    this.addSql(`drop table if exists "machine_sums" cascade;`);
  }
}
