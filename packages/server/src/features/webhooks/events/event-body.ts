import type { Columns } from '#platform/db/tables.ts';
import { catalog, type EventType } from './catalog.ts';

/** An event as it is stored. */
export type StoredEvent = Columns<'webhook_events', 'type' | 'occurred_at' | 'data' | 'personal' | 'is_test'>;

/** Which optional parts of an event a recipient gets. */
export type EventParts = Columns<'webhook_endpoints', 'include_personal' | 'include_codes'>;

/** The very bytes that are signed and sent: the same for all attempts, as nothing of it is parsed and printed again. */
export function bodyOf(event: StoredEvent, { include_personal, include_codes }: EventParts): string {
  const head = `"type":${JSON.stringify(event.type)},"timestamp":"${event.occurred_at.toISOString()}"`;
  const test = event.is_test ? ',"test":true' : '';
  return `{${head}${test},"data":${dataOf(include_codes ? event : withoutCode(event), include_personal)}}`;
}

/** Whether events of this type name the code of a serial. */
export const namesCode = (type: string): boolean => type in catalog && 'code' in catalog[type as EventType].data.shape;

/** An event for somebody who may not read codes. */
export function withoutCode<Event extends Pick<StoredEvent, 'type' | 'data'>>(event: Event): Event {
  if (!namesCode(event.type)) return event;
  const { code: _, ...data } = JSON.parse(event.data) as Record<string, unknown>;
  return { ...event, data: JSON.stringify(data) };
}

/** The data's JSON, with the personal part if that is asked for and still there. */
export function dataOf({ data, personal }: Pick<StoredEvent, 'data' | 'personal'>, includePersonal: boolean): string {
  if (!includePersonal || personal === null) return data;
  // both are objects, and the first has at least an id
  return `${data.slice(0, -1)},${personal.slice(1)}`;
}
