import { useQuery } from '@tanstack/react-query';
import { plural } from '#lib/format/format.ts';
import { deletionQuery } from '#lib/queries/account.ts';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { RadioChoices } from '#ui/forms/radio-choices.tsx';

export type Unlocks = 'none' | 'owners' | 'everyone';

const choices = [
  { value: 'none', label: 'Leave it', hint: 'Plugins keep working as long as this server answers them.' },
  {
    value: 'owners',
    label: 'Publish unlocks for owners',
    hint: 'On your redemption page, with what they own. It cannot be called back.',
  },
  {
    value: 'everyone',
    label: 'Publish unlocks for everyone',
    hint: 'Whoever opens your redemption page can use the plugins for good. It cannot be called back.',
  },
] as const;

interface Counts {
  products: number;
  unlocked_products: number;
}

/** Nobody can make up for it afterwards: it is asked as well where the products could not be counted. */
export const asksForUnlocks = (deletion: Counts | undefined) =>
  deletion === undefined || deletion.products > deletion.unlocked_products;

interface UnlockQuestionProps {
  value: Unlocks | null;
  onChange: (choice: Unlocks) => void;
  error: string | undefined;
}

/** Asks about products whose unlock for good is not published. */
export function UnlockQuestion(props: UnlockQuestionProps) {
  const deletion = useQuery(deletionQuery);
  if (deletion.isPending || !asksForUnlocks(deletion.data)) return null;
  const left = deletion.data && deletion.data.products - deletion.data.unlocked_products;
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line px-3.5 py-3">
      <RadioChoices legend="Do your plugins keep working without you?" choices={choices} {...props} />
      <p className="text-sm text-muted">
        {left === undefined
          ? 'Products without a published unlock for good'
          : `${plural(left, 'product')} without a published unlock for good`}{' '}
        can only run while a server answers. <HelpLink guide="giving-up-a-plugin" />
      </p>
    </div>
  );
}
