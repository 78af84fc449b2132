import { Check } from 'lucide-react';
import type { FieldValues } from 'react-hook-form';
import type { AccountSettings } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import type { SavedForm } from '#ui/forms/form-parts.ts';
import { SaveBar } from '#ui/forms/save-bar.tsx';
import { FormError } from '#ui/states.tsx';

interface SaveLineProps<Values extends FieldValues> {
  form: SavedForm<Values, AccountSettings>;
  label: string;
  blocked?: boolean;
  saved: boolean;
}

/** The end of a section that saves by itself. */
export function SaveLine<Values extends FieldValues>({ form, label, blocked = false, saved }: SaveLineProps<Values>) {
  const { busy, failure } = form;
  const dirty = form.formState.isDirty;
  return (
    <>
      <FormError title="Failed to save settings." error={failure} />
      <SaveBar dirty={dirty}>
        <Button type="submit" variant={dirty ? 'primary' : 'secondary'} busy={busy} disabled={!dirty || blocked}>
          {label}
        </Button>
        {dirty && !busy ? (
          <Button variant="ghost" onClick={() => form.reset()}>
            Discard changes
          </Button>
        ) : null}
        <p role="status" className="text-good">
          {saved ? (
            <span className="inline-flex items-center gap-1.5">
              <Check className="size-4" aria-hidden />
              Settings saved!
            </span>
          ) : null}
        </p>
      </SaveBar>
    </>
  );
}
