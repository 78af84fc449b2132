import { Migration } from '@mikro-orm/migrations';

export class Migration20261128165504_resellers_of_imports extends Migration {
  override name = 'Migration20261128165504_resellers_of_imports';

  override up(): void | Promise<void> {
    this.addSql(`alter table "partnerships" add "import_id" uuid null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128165504_resellers_of_imports');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128165504_resellers_of_imports';`);

    this.addSql(`alter table "partnerships" drop column "import_id";`);
  }
}
