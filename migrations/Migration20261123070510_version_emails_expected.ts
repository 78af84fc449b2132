import { Migration } from '@mikro-orm/migrations';

export class Migration20261123070510_version_emails_expected extends Migration {
  override name = 'Migration20261123070510_version_emails_expected';

  override up(): void | Promise<void> {
    this.addSql(`alter table "version_emails" add "expected" int not null default 0;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123070510_version_emails_expected');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "version_emails" drop column "expected";`);
  }
}
