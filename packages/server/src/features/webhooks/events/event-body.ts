/** An event as it is stored. */
export interface StoredEvent {
  type: string;
  occurred_at: Date;
  data: string;
  personal: string | null;
  is_test: boolean;
}

/** The very bytes that are signed and sent: the same for all attempts, as nothing of it is parsed and printed again. */
export function bodyOf(event: StoredEvent, includePersonal: boolean): string {
  const head = `"type":${JSON.stringify(event.type)},"timestamp":"${event.occurred_at.toISOString()}"`;
  const test = event.is_test ? ',"test":true' : '';
  return `{${head}${test},"data":${dataOf(event, includePersonal)}}`;
}

/** The data's JSON, with the personal part if that is asked for and still there. */
export function dataOf({ data, personal }: Pick<StoredEvent, 'data' | 'personal'>, includePersonal: boolean): string {
  if (!includePersonal || personal === null) return data;
  // both are objects, and the first has at least an id
  return `${data.slice(0, -1)},${personal.slice(1)}`;
}
