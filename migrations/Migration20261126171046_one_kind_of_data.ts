import { Migration } from '@mikro-orm/migrations';

export class Migration20261126171046_one_kind_of_data extends Migration {
  override name = 'Migration20261126171046_one_kind_of_data';

  override up(): void | Promise<void> {
    this.addSql(`alter table "webhook_endpoints" add "include_codes" boolean not null default true;`);
    // made or moved by a token that may not read codes: one of that name, when there is none left that may
    this.addSql(`update webhook_endpoints e set include_codes = false
      where e.listens_until is null and exists (
        select 1 from audit_events v where v.account_id = e.developer_id and v.object_id = e.id and v.via = 'access_token'
          and v.action in ('webhook_created', 'webhook_changed') and not exists (
            select 1 from access_tokens t join users u on u.id = t.user_id where t.user_id = v.account_id and t.name = v.token_name
              and t.scopes && case u.role when 'developer' then array['serials:read'] else array['sales:read', 'stock:read'] end));`);
    // the release before sends codes as it did
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261126171046_one_kind_of_data');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261126171046_one_kind_of_data';`);
    this.addSql(`alter table "webhook_endpoints" drop column "include_codes";`);
  }
}
