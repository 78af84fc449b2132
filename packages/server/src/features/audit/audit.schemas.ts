import { z } from 'zod';
import { Cursor, DateRange, Id, Limit, Time } from '#platform/http/schemas.ts';
import { auditActionNames } from './actions.ts';

export const AuditQuery = z.object({
  action: z.enum(auditActionNames).optional().describe('Only this action.'),
  dateRange: DateRange,
  limit: Limit,
  cursor: Cursor,
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditEntry = z
  .object({
    id: Id,
    at: Time,
    action: z.enum(auditActionNames).describe('What was done.'),
    summary: z.string().describe('The action in words.'),
    detail: z.string().nullable().describe('What it was done to: a label, a name or a number; null: nothing to add.'),
    object_id: Id.nullable().describe('The id of what it was done to; null: there is none, or there are many.'),
    via: z
      .enum(['session', 'access_token'])
      .nullable()
      .describe('How the person was signed in; null: not, as at a sign-in itself.'),
    token_name: z.string().nullable().describe('The access token, as it was called then; null: there was none.'),
    ip: z.string().nullable(),
    device: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof AuditEntry>;

export const AuditPage = z
  .object({ rows: z.array(AuditEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'AuditPage' });
