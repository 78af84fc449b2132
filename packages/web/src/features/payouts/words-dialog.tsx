import { useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Textarea } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';

interface WordsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  label: string;
  action: string;
  change: { mutate: (text: string) => void; reset: () => void; isPending: boolean; error: unknown };
}

/** A step that needs a reason or an answer, which the other side reads. */
export function WordsDialog({ open, onOpenChange, title, description, label, action, change }: WordsDialogProps) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  useEffect(() => {
    if (open) return;
    setText('');
    setTried(false);
  }, [open]);
  const close = (next: boolean) => {
    if (!next) change.reset();
    onOpenChange(next);
  };
  return (
    <Dialog open={open} onOpenChange={close} title={title} description={description}>
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (text.trim() && !change.isPending) change.mutate(text.trim());
        }}
      >
        <FormError error={change.error} />
        <Field label={label} error={tried && !text.trim() ? 'Required.' : undefined}>
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              maxLength={2000}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
