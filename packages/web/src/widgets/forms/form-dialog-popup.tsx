import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, useForm } from 'react-hook-form';
import { showFieldErrors } from '#lib/errors.ts';
import { getToken } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import type { DialogProps } from '#ui/dialogs/dialog-parts.tsx';
import type { FormParts, Mistakes } from '#ui/forms/form-parts.ts';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError } from '#ui/states.tsx';
import { useUnverified, VerifyFirst } from '../verify-first.tsx';

export interface FormDialogProps<Values extends FieldValues, Answer>
  extends Pick<DialogProps, 'open' | 'onOpenChange' | 'title' | 'description' | 'className'> {
  /** What the fields have each time it opens. */
  values: Values;
  /** What can be told without the server, so that all of it is shown at once. */
  check?: (values: Values) => Mistakes<Values>;
  /** Saves. What the server refuses is shown in the form, at its field where it names one. */
  save: (values: Values) => Promise<Answer>;
  /** The button that saves. */
  action: string;
  /** What went wrong, as a title. */
  failed?: string;
  /** Reaches other people, for which an address has to be verified. */
  verified?: boolean;
  /** Asks before anything typed is lost. */
  guarded?: boolean;
  /** Is there something to save? Always, unless said otherwise. */
  ready?: (values: Values) => boolean;
  /** What was typed is there again when it is opened again, until it was saved. */
  keeps?: boolean;
  /** What is shown instead of the form once it is saved. Without it the dialog closes. */
  after?: {
    title: string;
    description?: ReactNode;
    /** It can't be shown again. */
    once?: (answer: Answer) => boolean;
    show: (answer: Answer, close: () => void) => ReactNode;
  };
  /** The fields. */
  children: (form: FormParts<Values>) => ReactNode;
}

/** The dialog itself, which brings the library of forms: it is loaded when one is opened first. */
export function FormDialogPopup<Values extends FieldValues, Answer>(props: FormDialogProps<Values, Answer>) {
  const { open, onOpenChange, title, description, className, values, check, save, action, failed } = props;
  const { verified = false, guarded = false, keeps = false, ready, after, children } = props;
  const form = useForm<Values>({
    defaultValues: values as DefaultValues<Values>,
    resolver: (typed) => {
      const errors = errorsOf<Values>(check?.(typed) ?? {});
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: typed, errors: {} };
    },
  });
  const unverified = useUnverified();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      form.reset(values);
      if (!after) onOpenChange(false);
    },
    onError: (error) => showFieldErrors(error, form.setError, Object.keys(values)),
  });
  const { reset } = saving;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins anew when it opens; what is typed stays while it is open
  useEffect(() => {
    if (!open) return;
    if (!keeps) form.reset(values);
    reset();
  }, [open]);
  const { errors, isDirty } = form.formState;
  const shownAtFields = Object.values(errors).some((error) => error?.type === 'server');
  const answer = after ? saving.data : undefined;
  const close = (next: boolean) => {
    // the answer may have what is shown only now
    if (after && saving.isPending) return;
    onOpenChange(next);
  };
  const parts = { ...form, error: (name: keyof Values & string) => errors[name]?.message as string | undefined };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={answer && after ? after.title : title}
      description={answer && after ? after.description : description}
      {...(className ? { className } : {})}
      unsaved={guarded && isDirty && !answer}
      shownOnce={Boolean(answer && after?.once?.(answer))}
    >
      {answer && after ? (
        after.show(answer, () => onOpenChange(false))
      ) : (
        <form
          className="mt-4 flex flex-col gap-5"
          noValidate
          onSubmit={form.handleSubmit((typed) => (saving.isPending ? undefined : saving.mutate(typed)))}
        >
          {guarded && isDirty ? <UnsavedGuard dirty={() => getToken() !== null} /> : null}
          {verified ? <VerifyFirst /> : null}
          <FormError {...(failed ? { title: failed } : {})} error={shownAtFields ? null : saving.error} />
          {children(parts)}
          <div className="flex justify-end gap-2">
            <Button disabled={Boolean(after) && saving.isPending} onClick={() => close(false)}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="primary"
              busy={saving.isPending}
              disabled={(verified && unverified !== null) || ready?.(form.watch()) === false}
            >
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function errorsOf<Values extends FieldValues>(mistakes: Mistakes<Values>): FieldErrors<Values> {
  const found = Object.entries(mistakes).flatMap(([name, message]) =>
    message ? [[name as Path<Values>, { type: 'check', message }]] : [],
  );
  return Object.fromEntries(found);
}
