import type { Batch } from '@tonerow/sdk';

type State = Batch['at_least'][number];

export const STATES = ['open', 'handed_out', 'redeemed', 'revoked'] as const satisfies readonly State[];

/** How many serials of a batch are in a state, with a + where a list has not counted all of them. */
export function inState(batch: Pick<Batch, 'at_least' | State>, state: State): number | string {
  return batch.at_least.includes(state) ? `${batch[state]}+` : batch[state];
}
