import { Migration } from '@mikro-orm/migrations';

export class Migration20261123014614_install_help extends Migration {
  override name = 'Migration20261123014614_install_help';

  override up(): void | Promise<void> {
    this.addSql(`alter table "products" add "install_help" text not null default '';`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261123014614_install_help');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "products" drop column "install_help";`);
  }
}
