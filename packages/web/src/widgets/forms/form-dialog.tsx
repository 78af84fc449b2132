import { lazy } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Later } from '#ui/dialogs/lazy-mount.tsx';
import { Field, Textarea } from '#ui/forms/field.tsx';
import type { FormDialogProps } from './form-dialog-popup.tsx';

const FormDialogPopup = lazy(() =>
  import('./form-dialog-popup.tsx').then((module) => ({ default: module.FormDialogPopup })),
) as unknown as typeof import('./form-dialog-popup.tsx').FormDialogPopup;

/** A dialog with a form: it checks, saves, shows what was refused, and closes. */
export function FormDialog<Values extends FieldValues, Answer>(props: FormDialogProps<Values, Answer>) {
  return (
    <Later when={props.open}>
      <FormDialogPopup {...props} />
    </Later>
  );
}

interface WordsDialogProps
  extends Pick<
    FormDialogProps<{ text: string }, unknown>,
    'open' | 'onOpenChange' | 'title' | 'description' | 'action' | 'danger' | 'failed' | 'keeps'
  > {
  label: string;
  hint?: string;
  /** The message where nothing was typed. */
  missing: string;
  most?: number;
  save: (text: string) => Promise<unknown>;
}

/** A step that needs a reason or an answer, which the other side reads. */
export function WordsDialog({ label, hint, missing, most = 2000, save, ...dialog }: WordsDialogProps) {
  return (
    <FormDialog
      {...dialog}
      values={{ text: '' }}
      check={({ text }) => ({ text: !text.trim() && missing })}
      save={({ text }) => save(text.trim())}
      // whatever the server calls it
      rename={() => 'text'}
    >
      {({ register, error }) => (
        <Field label={label} hint={hint} error={error('text')}>
          {(control) => <Textarea {...control} {...register('text')} rows={4} maxLength={most} />}
        </Field>
      )}
    </FormDialog>
  );
}
