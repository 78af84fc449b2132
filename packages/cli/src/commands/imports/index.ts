import type { Noun } from '#define/command.ts';
import { importsDiscard } from './discard.ts';
import { importsGet } from './get.ts';
import { importsList } from './list.ts';
import { importsProof } from './proof.ts';
import { importsUndo } from './undo.ts';

export const imports: Noun = {
  name: 'imports',
  about: 'Files that were imported: list, compare and take them back',
  commands: [importsList, importsGet, importsProof, importsUndo, importsDiscard],
};
