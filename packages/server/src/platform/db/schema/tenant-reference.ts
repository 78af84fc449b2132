import { type PropertyChain, p } from '@mikro-orm/core';

type Target = Parameters<typeof p.manyToOne>[0];

/**
 * A foreign key to another table of the same tenant: `developer_id` is on both sides, so that a row can never reference
 * another tenant's, and both are on one machine when the database is distributed by tenant.
 */
export const sameTenant = <const Column extends string>(entity: Target, column: Column) =>
  p
    .manyToOne(entity)
    .mapToPk()
    .joinColumns(column, 'developer_id')
    .referencedColumnNames('id', 'developer_id')
    .updateRule('no action') as unknown as PropertyChain<string, { kind: 'm:1'; mapToPk: true; fieldName: Column }>;
