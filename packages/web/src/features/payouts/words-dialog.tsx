import { Field, Textarea } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

interface WordsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  label: string;
  action: string;
  save: (text: string) => Promise<unknown>;
}

/** A step that needs a reason or an answer, which the other side reads. */
export function WordsDialog({ label, save, ...dialog }: WordsDialogProps) {
  return (
    <FormDialog
      {...dialog}
      values={{ text: '' }}
      check={({ text }) => ({ text: !text.trim() && 'Required.' })}
      save={({ text }) => save(text.trim())}
    >
      {({ register, error }) => (
        <Field label={label} error={error('text')}>
          {(control) => <Textarea {...control} {...register('text')} rows={4} maxLength={2000} />}
        </Field>
      )}
    </FormDialog>
  );
}
