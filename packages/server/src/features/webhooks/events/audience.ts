import type { Principal } from '#platform/access/access.ts';
import { invalidField } from '#platform/errors.ts';
import { catalog, type EventType, eventTypes, patternsFor } from './catalog.ts';
import { samples } from './samples.ts';

type Audience = Pick<Principal, 'role'>;

/** Events of resellers are without the customer, and about their own stock. */
const forResellers: Partial<Record<EventType, Record<string, unknown>>> = {
  'serial.redeemed': {
    ...samples['serial.redeemed'],
    customer_id: null,
    partnership_id: samples['partnership.accepted'].partnership_id,
    commission: 9.8,
    email: undefined,
    first_name: undefined,
    last_name: undefined,
  },
  'stock.low': {
    ...samples['stock.low'],
    partnership_id: samples['partnership.accepted'].partnership_id,
  },
};

/** Every type that an account can get. */
export const typesFor = ({ role }: Audience): EventType[] =>
  eventTypes.filter((type) => (catalog[type].for as readonly string[]).includes(role));

/** An event as an account would get it. */
export function sampleFor({ role }: Audience, type: EventType): Record<string, unknown> {
  return (role === 'reseller' ? forResellers[type] : undefined) ?? samples[type];
}

/**
 * Refuses names of events that an account can never get, so that nobody waits for them.
 * @param path of a single name; else they are a list.
 * @throws {AppError} invalid_request.
 */
export function refuseUnknownEvents(caller: Audience, names: readonly string[], path?: string): void {
  const offered = new Set(['*', ...typesFor(caller).flatMap(patternsFor)]);
  const refused = names.findIndex((name) => !offered.has(name));
  if (refused === -1) return;
  throw invalidField(path ?? `events.${refused}`, `A ${caller.role} never gets ${names[refused]}.`);
}
