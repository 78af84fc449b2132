import { Check } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { SaveBar } from '#ui/forms/save-bar.tsx';
import { FormError } from '#ui/states.tsx';

interface SaveLineProps {
  label: string;
  busy: boolean;
  dirty: boolean;
  blocked?: boolean;
  saved: boolean;
  failure: unknown;
  onDiscard: () => void;
}

/** The end of a section that saves by itself. */
export function SaveLine({ label, busy, dirty, blocked = false, saved, failure, onDiscard }: SaveLineProps) {
  return (
    <>
      <FormError title="Failed to save settings." error={failure} />
      <SaveBar dirty={dirty}>
        <Button type="submit" variant={dirty ? 'primary' : 'secondary'} busy={busy} disabled={!dirty || blocked}>
          {label}
        </Button>
        {dirty && !busy ? (
          <Button variant="ghost" onClick={onDiscard}>
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
