import { z } from 'zod';
import { scopeNames } from '#platform/access/access.ts';
import { Id, MOMENT, Moment, Time } from '#platform/http/schemas.ts';
import { line } from '../settings/profile-fields.ts';

export const CreateAccessTokenBody = z
  .strictObject({
    name: line(100),
    scopes: z.array(z.enum(scopeNames)).min(1, 'Choose at least one scope.').max(scopeNames.length),
    expires_at: Moment.nullish().describe(`Until when it works: ${MOMENT}; null: for good. A day means its end.`),
  })
  .meta({ id: 'CreateAccessToken' });

const accessToken = {
  id: Id,
  name: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  hint: z.string(),
  created_at: Time,
  last_used_at: Time.nullable(),
  expires_at: Time.nullable(),
  trust_id: Id.nullable().describe('The trust that it was issued by, to a CI job; null: a person created it.'),
};
export const AccessTokenView = z.object(accessToken).meta({ id: 'AccessToken' });
export const NewAccessToken = z
  .object({ ...accessToken, token: z.string().describe('Shown once.') })
  .meta({ id: 'NewAccessToken' });
