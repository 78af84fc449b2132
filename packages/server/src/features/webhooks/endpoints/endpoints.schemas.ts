import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';
import { eventPatterns, eventTypes } from '../events/catalog.ts';

export const signatureKinds = ['v1', 'v1a'] as const;
export type SignatureKind = (typeof signatureKinds)[number];
export const disabledReasons = ['owner', 'failing', 'gone', 'secret'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const Url = z.string().trim().min(1, 'Enter an address.').max(2000, 'Use at most 2,000 characters.');
const Description = z.string().trim().max(200, 'Use at most 200 characters.');
export const EventNames = z
  .array(z.enum(eventPatterns))
  .min(1, 'Choose at least one event.')
  .max(eventPatterns.length)
  .describe('Types such as `serial.redeemed`, families such as `serial.*`, or `*` for everything.');
const Signature = z
  .enum(signatureKinds)
  .describe('`v1`: HMAC-SHA256 with a secret. `v1a`: Ed25519, for receivers that must not hold a secret.');
const Personal = z.boolean().describe('Whether names and email addresses of customers are sent.');
const Codes = z.boolean().describe('Whether events name the codes of serials.');

export const EndpointBody = z
  .strictObject({
    url: Url.describe('Where the events are sent: `https`, with a public host.'),
    description: Description.default('').describe('What it is for.'),
    events: EventNames,
    signature: Signature.default('v1'),
    include_personal: Personal.default(false),
    include_codes: Codes.default(true).describe(
      'Whether events name the codes of serials. An access token that may not read these leaves them out with false.',
    ),
  })
  .meta({ id: 'CreateWebhook' });
export type EndpointBody = z.output<typeof EndpointBody>;

export const EndpointChange = z
  .strictObject({
    url: Url.optional().describe('Where the events are sent.'),
    description: Description.optional().describe('What it is for.'),
    events: EventNames.optional(),
    signature: Signature.optional().describe(
      'Back from `v1a` to `v1`, it signs with the secret that it has: rotate it for one that you know.',
    ),
    include_personal: Personal.optional(),
    include_codes: Codes.optional(),
    enabled: z.boolean().optional().describe('Off: events are recorded, and can be replayed for 30 days.'),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'Send at least one field.')
  .meta({ id: 'UpdateWebhook' });
export type EndpointChange = z.output<typeof EndpointChange>;

export const RotateBody = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(1, 'Use 1 to 168 hours.')
      .max(168, 'Use 1 to 168 hours.')
      .default(24)
      .describe('For how long the old secret signs beside the new one.'),
  })
  .meta({ id: 'RotateWebhookSecret' });

export const EndpointView = z
  .object({
    id: Id,
    url: z.string().describe('Where the events are sent.'),
    description: z.string().describe('What it is for.'),
    events: z.array(z.string()).describe('What it asks for.'),
    signature: Signature,
    include_personal: Personal,
    include_codes: Codes,
    public_key: z
      .string()
      .nullable()
      .describe('The account’s key, which verifies `v1a` signatures, as `whpk_…`; null with `v1`.'),
    jwks_url: z.string().nullable().describe('Where that key is published; null with `v1`.'),
    enabled: z.boolean().describe('Whether events are sent.'),
    disabled_reason: z
      .enum(disabledReasons)
      .nullable()
      .describe(
        '`owner`: paused. `failing`: five days without success. `gone`: it answered 410. `secret`: rotate its secret.',
      ),
    disabled_at: Time.nullable().describe('Since when it is off; null: it is on.'),
    rotates_until: Time.nullable().describe('Until when the old secret or key signs too; null: there is only one.'),
    first_failure_at: Time.nullable().describe('Since when attempts fail; null: the last one succeeded.'),
    last_failure_at: Time.nullable().describe('The last of these failures; null: there is none.'),
    last_success_at: Time.nullable().describe('The last success, up to ten seconds behind; null: never.'),
    is_slow: z
      .boolean()
      .describe('It timed out or took long, and gets one request at a time until it answers quickly.'),
    waiting: z.int().describe('Deliveries that wait for an attempt; counted up to 10,000.'),
    replayable: z.int().describe('Failed and skipped deliveries that can be replayed; counted up to 10,000.'),
    days: z
      .array(
        z.object({
          day: z.string().describe('The day (UTC).'),
          delivered: z.int().describe('Attempts that succeeded.'),
          failed: z.int().describe('Attempts that failed.'),
        }),
      )
      .describe('The last seven days, oldest first.'),
    created_at: Time,
  })
  .meta({ id: 'Webhook' });
export type EndpointView = z.output<typeof EndpointView>;

export const Endpoints = z
  .object({ webhooks: z.array(EndpointView).describe('The webhooks, newest first.') })
  .meta({ id: 'WebhookList' });
export const NewEndpoint = z
  .object({
    webhook: EndpointView.describe('The webhook.'),
    secret: z.string().nullable().describe('The secret, as `whsec_…`. It is never shown again. Null with `v1a`.'),
  })
  .meta({ id: 'NewWebhook' });

export const TestBody = z
  .strictObject({
    type: z.enum(eventTypes).optional().describe('The type of the sample; `webhook.test` without it.'),
  })
  .meta({ id: 'TestWebhook' });

export const Jwks = z
  .object({
    keys: z
      .array(
        z.object({
          kty: z.literal('OKP').describe('Always `OKP`.'),
          crv: z.literal('Ed25519').describe('Always `Ed25519`.'),
          x: z.string().describe('The public key.'),
          kid: z.string().describe('The key’s id.'),
          alg: z.literal('EdDSA').describe('Always `EdDSA`.'),
          use: z.literal('sig').describe('Always `sig`.'),
        }),
      )
      .describe('The key, and during a rotation the one before it.'),
  })
  .meta({ id: 'WebhookKeys' });
