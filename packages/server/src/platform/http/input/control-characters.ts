import { z } from 'zod';
import { tidyLine } from '#platform/text/text.ts';

const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Characters that a terminal, a log or an email could take for a command. Tabs and line ends are text. */
export const CONTROL = /[^\P{Cc}\t\n\r]/u;
export const NO_CONTROL = 'Control characters are not allowed.';

/** A name, a label, a tag: text that others read within a line of their own. */
export const oneLine = () =>
  z
    .string()
    .overwrite(tidyLine)
    .refine((text) => !NOT_ONE_LINE.test(text), 'Use one line.');
