import { Migration } from '@mikro-orm/migrations';

export class Migration20261122064601_redemption_emails extends Migration {
  override name = 'Migration20261122064601_redemption_emails';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" rename column "redemption_mails" to "redemption_emails";`);
    this.addSql(
      `alter table "users" rename constraint "users_redemption_mails_check" to "users_redemption_emails_check";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "users" rename column "redemption_emails" to "redemption_mails";`);
    this.addSql(
      `alter table "users" rename constraint "users_redemption_emails_check" to "users_redemption_mails_check";`,
    );
  }
}
