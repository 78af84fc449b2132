import { z } from 'zod';
import { scopeNames } from '#platform/access/access.ts';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { line } from '../settings/profile-fields.ts';

const ID = /^[1-9]\d{0,19}$/;
const EITHER = 'Name a branch, an environment, or both.';

const scopes = z.array(z.enum(scopeNames)).min(1, 'Choose at least one scope.').max(scopeNames.length);
const RepositoryId = z
  .string()
  .trim()
  .regex(
    ID,
    'Enter the number, which stays when the repository is renamed: "gh api repos/OWNER/NAME --jq .id" prints it, and GitLab shows it as the project ID.',
  )
  .describe('GitHub’s `repository_id` or GitLab’s `project_id`, a number: a name could become somebody else’s.');
const place = (what: string) =>
  oneLine()
    .max(255)
    .nullish()
    .transform((text) => (text === undefined ? undefined : text || null))
    .describe(what);
const Branch = place('Only jobs on this branch, such as `main`; null: on any.');
const Environment = place('Only jobs that deploy to this environment, such as `production`; null: to any, or none.');

export const CreateTrustBody = z
  .strictObject({
    name: line(100),
    issuer: line(300).describe(
      'Who signs the identity tokens: `https://token.actions.githubusercontent.com`, `https://gitlab.com`, or the address of a GitLab of your own.',
    ),
    repository_id: RepositoryId,
    branch: Branch,
    environment: Environment,
    scopes: scopes.describe('What the tokens may do.'),
  })
  .refine(({ branch, environment }) => Boolean(branch || environment), { path: ['branch'], message: EITHER })
  .meta({ id: 'CreateTrust' });
export type CreateTrustBody = z.output<typeof CreateTrustBody>;

export const UpdateTrustBody = z
  .strictObject({
    name: line(100).optional(),
    repository_id: RepositoryId.optional(),
    branch: Branch,
    environment: Environment,
    scopes: scopes.optional().describe('What the tokens may do.'),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'Send what is to be changed.')
  .meta({ id: 'UpdateTrust' });
export type UpdateTrustBody = z.output<typeof UpdateTrustBody>;

export const TrustView = z
  .object({
    id: Id.describe('The id, which jobs name as `TONEROW_TRUST`. It is no secret.'),
    name: z.string(),
    issuer: z.string().describe('Who signs the identity tokens.'),
    provider: z.enum(['github', 'gitlab']).describe('Whose claims the tokens have.'),
    repository_id: z.string().describe('GitHub’s `repository_id` or GitLab’s `project_id`.'),
    branch: z.string().nullable().describe('Only jobs on this branch; null: on any.'),
    environment: z.string().nullable().describe('Only jobs that deploy to this environment; null: to any, or none.'),
    scopes: z.array(z.enum(scopeNames)).describe('What the tokens may do.'),
    audience: z.string().describe('The audience (`aud`) that identity tokens must have: this server’s public address.'),
    created_at: Time,
    last_used_at: Time.nullable(),
  })
  .meta({ id: 'Trust' });
export type TrustView = z.output<typeof TrustView>;

export const ExchangeBody = z
  .strictObject({
    trust: Id.describe('The id of the trust.'),
    token: z.string().min(1, 'Required.').max(16_384).describe('The identity token (a JWT) of the job.'),
  })
  .meta({ id: 'ExchangeIdentityToken' });

export const IssuedToken = z
  .object({
    id: Id,
    token: z.string().describe('An access token. It is shown once, and works for 15 minutes.'),
    name: z.string().describe('What the audit log calls it: the trust’s name, with the run.'),
    scopes: z.array(z.enum(scopeNames)),
    expires_at: Time.describe('When it stops working.'),
    expires_in: z.int().describe('In how many seconds that is, for clocks that are wrong.'),
  })
  .meta({ id: 'IssuedToken' });
