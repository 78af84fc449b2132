import type { BaseSyntheticEvent, RefObject } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** The mistakes in typed values, by field. */
export type Mistakes<Values> = { [Name in keyof Values]?: string | false | undefined };

export interface FormParts<Values extends FieldValues> extends UseFormReturn<Values> {
  /** The message of a field. */
  error: (name: keyof Values & string) => string | undefined;
}

export interface SavedForm<Values extends FieldValues, Answer> extends FormParts<Values> {
  /** Props of the form's element. */
  frame: { ref: RefObject<HTMLFormElement | null>; noValidate: true; onSubmit: (event: BaseSyntheticEvent) => void };
  /** Saves these values as they are, unless it saves already. */
  send: (values: Values) => void;
  busy: boolean;
  /** Why it was refused, unless that is at its fields. */
  failure: unknown;
  /** The answer to the last save. */
  answer: Answer | undefined;
  /** As if nothing had been saved or refused. */
  forget: () => void;
}
