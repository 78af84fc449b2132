import type { Params } from './form.ts';
import { wholeNumber } from './parameters.ts';
import { invalid } from './refusals.ts';

/** Only the beginning of a time is known here. */
export function sinceOf(created: Params | string | undefined): number {
  if (created === undefined) return 0;
  if (typeof created === 'string' || Object.keys(created).some((name) => name !== 'gte'))
    throw invalid('Received unknown parameter: created', { code: 'parameter_unknown', param: 'created' });
  return wholeNumber(created, 'gte', 10);
}
