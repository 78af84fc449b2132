import { Migration } from '@mikro-orm/migrations';

export class Migration20261122003646_known_places extends Migration {
  override name = 'Migration20261122003646_known_places';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "known_places" ("user_id" uuid not null, "hash" bytea not null, "kind" varchar(255) not null, "last_seen_at" timestamptz(3) not null, primary key ("user_id", "hash"));`,
    );

    this.addSql(
      `alter table "known_places" add constraint "known_places_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "known_places" add constraint "known_places_kind_check" check (kind in ('device', 'address'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "known_places" cascade;`);
  }
}
