import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** What is wrong with what was typed, by field. */
export type Mistakes<Values> = { [Name in keyof Values]?: string | false | undefined };

export interface FormParts<Values extends FieldValues> extends UseFormReturn<Values> {
  /** The message of a field. */
  error: (name: keyof Values & string) => string | undefined;
}
