import { describeError } from '#lib/errors.ts';
import { TextLink } from '#ui/button.tsx';
import { FormError, Notice } from '#ui/states.tsx';

const TITLE = 'Could not switch plan.';

/** Why the plan was not switched, and where to go when a card is missing: that is no fault to report. */
export function SwitchError({ error }: { error: unknown }) {
  const problem = describeError(error);
  if (problem.code !== 'card_required') return <FormError title={TITLE} error={error} />;
  return (
    <Notice tone="bad">
      <strong className="font-semibold">{TITLE}</strong> {problem.message}
      <TextLink to="/dashboard/settings/card" reloadDocument preload={false} className="mt-1.5 table">
        Add a card
      </TextLink>
    </Notice>
  );
}
