import { Migration } from '@mikro-orm/migrations';

export class Migration20261127153721_update_files extends Migration {
  override name = 'Migration20261127153721_update_files';

  override up(): void | Promise<void> {
    this.addSql(`alter table "files" add "sha256" bytea null;`);

    this.addSql(`alter table "file_versions" add "notes" text not null default '';`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127153721_update_files');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127153721_update_files';`);

    this.addSql(`alter table "file_versions" drop column "notes";`);

    this.addSql(`alter table "files" drop column "sha256";`);
  }
}
