import { Migration } from '@mikro-orm/migrations';

export class Migration20261121234535_secret_probes extends Migration {
  override name = 'Migration20261121234535_secret_probes';

  override up(): void | Promise<void> {
    this.addSql(`create table "rolling_migrations" ("name" text not null, primary key ("name"));`);

    this.addSql(
      `create table "secret_probes" ("fingerprint" text not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, primary key ("fingerprint"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "rolling_migrations" cascade;`);
    this.addSql(`drop table if exists "secret_probes" cascade;`);
  }
}
