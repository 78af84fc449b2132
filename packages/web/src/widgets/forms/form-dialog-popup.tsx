import { type ReactNode, useEffect, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { getToken } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import type { DialogProps } from '#ui/dialogs/dialog-parts.tsx';
import { useLastOpen } from '#ui/dialogs/lazy-mount.tsx';
import type { FormParts } from '#ui/forms/form-parts.ts';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError } from '#ui/states.tsx';
import { useUnverified, VerifyFirst } from '../verify-first.tsx';
import { type Saving, useSavedForm } from './use-saved-form.ts';

export interface FormDialogProps<Values extends FieldValues, Answer>
  extends Pick<DialogProps, 'open' | 'onOpenChange' | 'title' | 'description' | 'className'>,
    Pick<Saving<Values, Answer | undefined>, 'check' | 'save' | 'refused' | 'rename'> {
  /** The values of the fields each time the dialog opens. */
  values: Values;
  /** The button that saves. */
  action: string | ((values: Values) => string);
  /** It leads to a further step in the dialog, which closes after the last one. */
  more?: boolean;
  /** It takes something away. */
  danger?: boolean;
  /** The title of the error. */
  failed?: string;
  /** Reaches other people, for which an address has to be verified. */
  verified?: boolean;
  /** Asks before anything typed is lost. */
  guarded?: boolean;
  /** Is there something to save? Always, unless said otherwise. */
  ready?: (values: Values) => boolean;
  /** Keeps what was typed until it is saved, so that it is there when the dialog opens again. */
  keeps?: boolean;
  /** Shown instead of the form once it is saved. Without it the dialog closes. */
  after?: {
    title: string;
    description?: ReactNode;
    /** It can't be shown again: Escape and a click outside leave it open. */
    once?: (answer: Answer) => boolean;
    /** Only its own button closes it. */
    insists?: boolean;
    /** @param hurried somebody tried to close what insists. */
    show: (answer: Answer, close: () => void, hurried: boolean) => ReactNode;
  };
  /** The fields. */
  children: (form: FormParts<Values>) => ReactNode;
}

/** The dialog itself, which brings the library of forms: it is loaded when one is opened first. */
export function FormDialogPopup<Values extends FieldValues, Answer>(props: FormDialogProps<Values, Answer>) {
  const { open, onOpenChange, title, description, values, failed } = props;
  const { more = false, verified = false, guarded = false, keeps = false, ready, after } = props;
  const { className, action, danger = false, children } = useLastOpen(props);
  const [hurried, setHurried] = useState(false);
  const unverified = useUnverified();
  const form = useSavedForm<Values, Answer | undefined>({
    values,
    check: props.check,
    save: props.save,
    refused: props.refused,
    rename: props.rename,
    onSaved: () => {
      if (more) return;
      if (keeps) form.reset(values);
      if (!after) onOpenChange(false);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins anew when it opens; what is typed stays while it is open
  useEffect(() => {
    if (!open) return;
    if (keeps) form.clearErrors();
    else form.reset(values);
    form.forget();
    setHurried(false);
  }, [open]);
  const { isDirty } = form.formState;
  const { answer, busy } = form;
  const done = after && answer !== undefined ? { after, answer } : undefined;
  const close = (next: boolean) => {
    if (done?.after.insists) setHurried(true);
    // the answer will be shown in this dialog
    else if (!busy) onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={done ? done.after.title : title}
      description={done ? done.after.description : description}
      {...(className ? { className } : {})}
      unsaved={guarded && isDirty && !done && !busy}
      shownOnce={Boolean(done?.after.once?.(done.answer))}
    >
      {done ? (
        done.after.show(done.answer, () => onOpenChange(false), hurried)
      ) : (
        <form {...form.frame} className="mt-4 flex flex-col gap-5">
          {guarded && isDirty && open ? <UnsavedGuard dirty={() => getToken() !== null} /> : null}
          {verified ? <VerifyFirst /> : null}
          <FormError {...(failed ? { title: failed } : {})} error={form.failure} />
          {children(form)}
          <div className="flex justify-end gap-2">
            <Button disabled={busy} onClick={() => close(false)}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant={danger ? 'danger' : 'primary'}
              busy={busy}
              disabled={(verified && unverified !== null) || ready?.(form.watch()) === false}
            >
              {typeof action === 'string' ? action : action(form.watch())}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
