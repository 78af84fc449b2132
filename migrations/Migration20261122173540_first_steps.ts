import { Migration } from '@mikro-orm/migrations';

export class Migration20261122173540_first_steps extends Migration {
  override name = 'Migration20261122173540_first_steps';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" add "first_steps_hidden_at" timestamptz(3) null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261122173540_first_steps');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "users" drop column "first_steps_hidden_at";`);
  }
}
