import { Migration } from '@mikro-orm/migrations';

export class Migration20261123015246_api_requests extends Migration {
  override name = 'Migration20261123015246_api_requests';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "api_requests" ("account_id" uuid not null, "id" uuid not null, "at" timestamptz(3) not null, "method" text not null, "route" text not null, "status" smallint not null, "credential" text not null, "credential_id" uuid not null, "credential_name" text null, "ip" text null, "request_id" text not null, "ms" int not null, "omitted" int not null default 0, primary key ("account_id", "id"));`,
    );
    this.addSql(`create index "api_requests_at_index" on "api_requests" ("at");`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123015246_api_requests');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "api_requests" cascade;`);
  }
}
