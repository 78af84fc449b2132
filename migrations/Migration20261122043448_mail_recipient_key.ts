import { Migration } from '@mikro-orm/migrations';

export class Migration20261122043448_mail_recipient_key extends Migration {
  override name = 'Migration20261122043448_mail_recipient_key';

  override up(): void | Promise<void> {
    this.addSql(`alter table "mails" add "recipient_key" text not null default '';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "mails" drop column "recipient_key";`);
  }
}
