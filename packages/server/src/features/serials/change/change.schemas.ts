import { z } from 'zod';
import { DateRange, Id, Time } from '#platform/http/schemas.ts';
import { listed } from '../list/list.schemas.ts';
import { changed_at, SerialView } from '../serials.schemas.ts';

export const ChangeMatchingBody = z
  .strictObject({
    action: z.enum(['revoke', 'reassign', 'delete']),
    filter: z.strictObject({ ...listed, dateRange: DateRange.default('all') }).describe('As in listSerials.'),
    dry_run: z.boolean().default(false),
  })
  .meta({
    id: 'ChangeMatchingSerials',
    description:
      'All that fit the filter, at most 100,000. `delete` skips serials that a customer has redeemed or a reseller handed out.',
  });

export const RefreshedSerial = SerialView.extend({
  refresh_cost: z.number().describe('In dollars; 0 on the free plan, and when nothing had been downloaded.'),
}).meta({ id: 'RefreshedSerial' });

export const BulkBody = z
  .strictObject({
    action: z.enum(['revoke', 'reassign', 'delete']),
    ids: z.array(Id).min(1).max(1000),
    dry_run: z.boolean().default(false),
  })
  .meta({
    id: 'BulkSerials',
    description:
      '`delete` removes serials that nobody has redeemed and no reseller has handed out, and skips the others.',
  });
export const BulkAnswer = z
  .object({
    count: z.int().describe('The number of serials changed.'),
    skipped: z.int().describe('Serials already in that state, redeemed, handed out, or not found.'),
    dry_run: z.boolean(),
    changed_at,
  })
  .meta({ id: 'BulkSerialsAnswer' });

export const UndoChangeBody = z
  .strictObject({
    changed_at: Time.describe('As the change answered it.'),
    dry_run: z.boolean().default(false),
  })
  .meta({ id: 'UndoSerialChange' });
