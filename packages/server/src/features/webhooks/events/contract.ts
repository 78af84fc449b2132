import { z } from 'zod';
import { catalog, type EventType, eventTypes } from './catalog.ts';
import { samples } from './samples.ts';

/** The section `webhooks` of the contract: what is sent, by type. */
export const webhookContract = (): Record<string, object> =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]));

function operationOf(type: EventType): object {
  const { about, data } = catalog[type];
  const { $schema: _, ...schema } = z.toJSONSchema(data, { io: 'input' });
  return {
    // the signature is in the headers of what is sent, and no credential is
    security: [],
    operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_whole, letter: string) => letter.toUpperCase())}`,
    summary: about,
    description:
      'Signed by the rules of Standard Webhooks 1.0, in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: {
              type: { type: 'string', const: type, description: 'The type.' },
              timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
              test: { type: 'boolean', const: true, description: 'Only there if it was sent by hand.' },
              data: { ...schema, description: 'What happened.' },
            },
          },
          example: { type, timestamp: '2026-03-10T12:00:00.000Z', data: samples[type] },
        },
      },
    },
    responses: { '2XX': { description: 'Taken. Any other answer, or none in 15 seconds, is tried again.' } },
  };
}
