import { describeError } from '../../lib/errors.ts';
import { TextLink } from '../../ui/button.tsx';
import { FormError } from '../../ui/states.tsx';

/** Why the plan was not switched, and where to go when a card is missing. */
export function SwitchError({ error }: { error: unknown }) {
  return (
    <div className="flex flex-col gap-2">
      <FormError title="Could not switch plan." error={error} />
      {describeError(error).code === 'card_required' ? (
        <p>
          <TextLink to="/dashboard/settings/card" reloadDocument preload={false}>
            Add a card
          </TextLink>
        </p>
      ) : null}
    </div>
  );
}
