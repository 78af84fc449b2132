import { Migration } from '@mikro-orm/migrations';

export class Migration20261122151638_reminder_threshold extends Migration {
  override name = 'Migration20261122151638_reminder_threshold';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" add "reminder_cents" int not null default 0;`);
    this.addSql(`alter table "users" add constraint "users_reminder_check" check (reminder_cents >= 0);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "users" drop constraint "users_reminder_check";`);
    this.addSql(`alter table "users" drop column "reminder_cents";`);
  }
}
