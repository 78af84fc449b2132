import type { OperationClient } from '@tonerow/sdk/operations';
import { inState } from '#output/batch-states.ts';
import { day } from '#output/zone.ts';
import { openBatch, openCustomer, openProduct, openSerial, revokeOrReassign, stateOf } from './desk.ts';
import type { Tab } from './tabs.ts';

export function developerTabs(api: OperationClient): Tab[] {
  return [
    {
      name: 'Products',
      keys: '↵ open',
      async load(search, signal) {
        const products = await api.listProducts({ query: { search: search || undefined } }, { signal });
        return products.map((each) => ({
          id: each.id,
          cells: [each.name, each.is_draft ? 'draft' : 'submitted', `${each.serials_available} available`],
          open: openProduct(api, each.id),
        }));
      },
    },
    {
      name: 'Batches',
      keys: '↵ open',
      async load(search, signal) {
        const { rows } = await api.listBatches({ query: { search: search || undefined, limit: 50 } }, { signal });
        return rows.map((each) => ({
          id: each.id,
          cells: [
            `${each.product_name}${each.batch_tag ? ` · ${each.batch_tag}` : ''}`,
            `${inState(each, 'redeemed')} of ${each.quantity} redeemed`,
            `${inState(each, 'open')} open, ${inState(each, 'revoked')} revoked`,
          ],
          open: openBatch(api, each.id),
        }));
      },
    },
    {
      name: 'Serials',
      keys: '↵ open r revoke or reassign',
      async load(search, signal) {
        const { rows } = await api.listSerials({ query: { search: search || undefined, limit: 100 } }, { signal });
        return rows.map((each) => ({
          id: each.id,
          cells: [each.code, each.product, stateOf(each)],
          acts: [revokeOrReassign(api, each)],
          open: openSerial(api, each.id),
        }));
      },
    },
    {
      name: 'Customers',
      keys: '↵ open',
      async load(search, signal) {
        const { customers } = await api.listCustomers({ query: { search: search || undefined } }, { signal });
        return customers.map((each) => ({
          id: each.id,
          cells: [
            [each.first_name, each.last_name].filter(Boolean).join(' ') || each.email,
            each.email,
            `since ${day(each.signup_date)}`,
          ],
          open: openCustomer(api, each.id),
        }));
      },
    },
  ];
}
