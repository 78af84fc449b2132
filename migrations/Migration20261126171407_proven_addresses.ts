import { Migration } from '@mikro-orm/migrations';

export class Migration20261126171407_proven_addresses extends Migration {
  override name = 'Migration20261126171407_proven_addresses';

  override up(): void | Promise<void> {
    this.addSql(`create index "mails_recipient_index" on "mails" ("developer_id", "recipient_key", "id");`);
    this.addSql(`alter table "customers" add "proven_at" timestamptz(3) null;`);
    // until now, coming was all that could be known
    this.addSql(`update "customers" set "proven_at" = "last_login_at" where "last_login_at" is not null;`);
    // the release before reads and writes neither
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261126171407_proven_addresses');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "customers" drop column "proven_at";`);
    this.addSql(`drop index "mails_recipient_index";`);
  }
}
