import { z } from 'zod';
import { oneLine } from './control-characters.ts';

const orNull = (text: string | null | undefined) => text || null;

/** A text that may be left out; blank is the same as null. */
export const optionalText = (max: number) => z.string().trim().max(max).nullish().transform(orNull);
/** The same within one line. */
export const optionalLine = (max: number) => oneLine().max(max).nullish().transform(orNull);

/** A text that a change may clear, with null or blank. What the change leaves out stays. */
export const clearableText = (max: number) => z.string().trim().max(max).nullable().transform(orNull);
/** The same within one line. */
export const clearableLine = (max: number) => oneLine().max(max).nullable().transform(orNull);
