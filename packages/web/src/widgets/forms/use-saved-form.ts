import { useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
} from 'react-hook-form';
import { endedSession, showFieldErrors } from '#lib/errors.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { Mistakes, SavedForm } from '#ui/forms/form-parts.ts';

export interface Saving<Values extends FieldValues, Answer> {
  /** The initial values of the fields. */
  values: Values;
  /** Finds the mistakes that need no server, so that all of them are shown at once. */
  check?: ((values: Values) => Mistakes<Values>) | undefined;
  /** The same, where it follows from a schema. */
  resolver?: Resolver<Values> | undefined;
  /** Called instead of saving. It asks something first, then saves by `send`. */
  ask?: ((values: Values) => void) | undefined;
  save: (values: Values) => Promise<Answer>;
  onSaved?: (answer: Answer, values: Values) => unknown;
  /**
   * Reads a refusal: returns the messages of fields, without any if it is dealt with, or `whole` if it is shown by
   * itself and not at a field.
   */
  refused?: ((error: unknown) => Mistakes<Values> | 'whole' | undefined) | undefined;
  /** A field's name here for that in the server's answer. */
  rename?: ((path: string) => string) | undefined;
  /** Called when the refusal is shown at fields, which may be out of sight. */
  onFields?: () => void;
}

interface State<Answer> {
  busy: boolean;
  failure: unknown;
  answer: Answer | undefined;
}

const idle = { busy: false, failure: null, answer: undefined };

/**
 * A form that is saved as a whole, once at a time. What was typed stays until it is saved. What is wrong is shown at its field, and
 * the first such field has the focus.
 */
export function useSavedForm<Values extends FieldValues, Answer>(
  its: Saving<Values, Answer>,
): SavedForm<Values, Answer> {
  const { values, check, resolver, ask, save, onSaved, refused, rename, onFields } = its;
  const ref = useRef<HTMLFormElement>(null);
  const running = useRef(false);
  const [state, setState] = useState<State<Answer>>(idle);
  const form = useForm<Values>({
    defaultValues: values as DefaultValues<Values>,
    // not only those fields that it knows the elements of
    shouldFocusError: false,
    resolver:
      resolver ??
      ((typed) => {
        const errors = errorsOf<Values>(check?.(typed) ?? {});
        return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: typed, errors: {} };
      }),
  });
  const { errors, submitCount } = form.formState;
  /** Whether all of it is at fields, or dealt with. */
  const explain = (error: unknown): boolean => {
    // the page asks to sign in again
    if (endedSession(error)) return true;
    const refusal = refused?.(error);
    if (refusal === 'whole') return false;
    for (const [name, message] of Object.entries(refusal ?? {})) {
      if (message) form.setError(name as Path<Values>, { type: 'server', message });
    }
    const explained = refusal !== undefined || showFieldErrors(error, form.setError, Object.keys(values), rename);
    if (explained) onFields?.();
    return explained;
  };
  const send = async (typed: Values) => {
    if (running.current) return;
    running.current = true;
    setState({ ...idle, busy: true });
    try {
      const answer = await save(typed);
      await onSaved?.(answer, typed);
      setState({ ...idle, answer });
    } catch (error) {
      endSessionOn401(error);
      setState({ ...idle, failure: explain(error) ? null : error });
    } finally {
      running.current = false;
    }
  };
  // values typed while it is saved are not part of it
  const submit = form.handleSubmit((typed) => void (ask ?? send)(typed));
  const { busy } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each try, and each answer
  useEffect(() => {
    const [first] = Object.keys(errors);
    if (!first) return;
    const shown = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (shown) shown.focus();
    else form.setFocus(first as Path<Values>);
  }, [submitCount, busy]);
  return {
    ...form,
    error: (name) => errors[name]?.message as string | undefined,
    frame: {
      ref,
      noValidate: true,
      onSubmit: (event) => {
        // a form within a form of the page is its own
        event.stopPropagation();
        return submit(event);
      },
    },
    send,
    ...state,
    forget: () => setState(idle),
  };
}

function errorsOf<Values extends FieldValues>(mistakes: Mistakes<Values>): FieldErrors<Values> {
  const found = Object.entries(mistakes).flatMap(([name, message]) =>
    message ? [[name as Path<Values>, { type: 'check', message }]] : [],
  );
  return Object.fromEntries(found);
}
