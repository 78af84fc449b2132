import type { Noun } from '#define/command.ts';
import { importsUndo } from './undo.ts';

export const imports: Noun = {
  name: 'imports',
  about: 'Files that were imported, and taking them back',
  commands: [importsUndo],
};
