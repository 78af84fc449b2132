import { lazy } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Later } from '#ui/dialogs/lazy-mount.tsx';
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
