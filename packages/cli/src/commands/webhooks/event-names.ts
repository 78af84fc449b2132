import type { OperationClient } from '@tonerow/sdk/operations';
import { UsageError } from '#exit.ts';
import { nearest } from '#input/nearest-word.ts';
import type { Context } from '#run/context.ts';

/** A field of a request that holds the name of an event, as the server calls it when it refuses it. */
const NAMED = /^(?:type|events\.(\d+))$/;

/**
 * Makes a call that names types of events.
 * @throws {UsageError} for a name that there is not, with the one that was probably meant: the server lists all of them.
 */
export async function withNames<Answer>(
  context: Context,
  api: OperationClient,
  names: readonly string[],
  send: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    const { errors = [] } = error as { errors?: { path: string }[] };
    const [, at = '0'] = NAMED.exec(errors[0]?.path ?? '') ?? [null, '-1'];
    const name = names[Number(at)];
    if (name === undefined) throw error;
    const types = await typesOf(context, api);
    const known = [...types, ...new Set(types.map((type) => `${type.split('.')[0]}.*`))];
    // one that there is was refused for another reason, which the server knows
    if (types.length === 0 || known.includes(name)) throw error;
    throw noSuchType(name, known);
  }
}

export function noSuchType(name: string, known: readonly string[]): UsageError {
  const meant = nearest(name, known);
  return new UsageError(
    `There is no type of event "${name}".${meant ? ` Did you mean ${meant}?` : ''} "tonerow webhooks types" lists them.`,
  );
}

async function typesOf(context: Context, api: OperationClient): Promise<string[]> {
  const answer = await api.listWebhookEventTypes({}, context.call).catch(() => null);
  return answer?.types.map(({ type }) => type) ?? [];
}
