import type { Draw } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';

type DrawState = Draw['serials'][number]['state'];

export const stateWords: Record<DrawState, string> = {
  handed_out: 'Handed out',
  redeemed: 'Redeemed',
  revoked: 'Revoked',
  returned: 'Returned',
};
export const drawStates = Object.keys(stateWords) as DrawState[];

const means: Record<DrawState, string> = {
  handed_out: 'The customer has the code and has not redeemed it yet. It can still be returned.',
  redeemed: 'The customer redeemed it. It can no longer be returned.',
  revoked: 'The developer has revoked it.',
  returned: 'It went back into stock, and can be handed out to somebody else.',
};

const tones = { handed_out: 'accent', redeemed: 'good', revoked: 'bad', returned: 'plain' } as const;

export const StateBadge = ({ state, count }: { state: DrawState; count?: number }) => (
  <Badge tone={tones[state]} means={means[state]}>
    {count === undefined ? null : <span className="figures mr-1">{count}</span>}
    {count === undefined ? stateWords[state] : stateWords[state].toLowerCase()}
  </Badge>
);

/** How many codes of a draw are in each state; its only state without a number when it has one code. */
export function StateBadges({ draw }: { draw: Pick<Draw, 'states' | 'quantity'> }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {drawStates
        .filter((state) => draw.states[state] > 0)
        .map((state) => (
          <StateBadge key={state} state={state} {...(draw.quantity > 1 ? { count: draw.states[state] } : {})} />
        ))}
    </span>
  );
}
