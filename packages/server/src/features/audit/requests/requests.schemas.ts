import { z } from 'zod';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';

export const ApiRequestsQuery = z.object({
  status: z.enum(['2xx', '3xx', '4xx', '5xx']).optional().describe('Only answers with such a status.'),
  credential_id: Id.optional().describe('Only requests with this access token or plugin key.'),
  route: z.string().trim().max(200).optional().describe('Only routes that contain this, such as `/api/serials`.'),
  limit: Limit,
  cursor: Cursor,
});
export type ApiRequestsQuery = z.output<typeof ApiRequestsQuery>;

const credential = z.enum(['access_token', 'plugin_key']);

export const ApiRequestView = z
  .object({
    id: Id,
    at: Time,
    method: z.string().describe('The HTTP method.'),
    route: z.string().describe('As it is documented, with names in place of ids.'),
    status: z.int().describe('The HTTP status of the answer; 499: the caller left before it.'),
    credential: credential.describe('What the request was made with.'),
    credential_id: Id.describe('The id of the access token or plugin key.'),
    credential_name: z.string().nullable().describe('As it was called then; null: it was deleted in that second.'),
    ip: z.string().nullable().describe('Null for plugins, whose addresses are those of customers.'),
    request_id: z.string(),
    ms: z.int().describe('How long the answer took, in milliseconds.'),
    omitted: z.int().describe('How many more such requests there were in that minute, without a line of their own.'),
  })
  .meta({ id: 'ApiRequest' });
export type ApiRequestView = z.output<typeof ApiRequestView>;

export const ApiRequestsPage = z
  .object({
    rows: z.array(ApiRequestView),
    next_cursor: z.string().nullable(),
    credentials: z
      .array(z.object({ id: Id, credential, name: z.string().nullable() }))
      .describe('What the log can be filtered by; on the first page only.'),
  })
  .meta({ id: 'ApiRequestsPage' });
export type ApiRequestsPage = z.output<typeof ApiRequestsPage>;
