import type { Noun } from '#define/command.ts';
import { importsDiscard } from './discard.ts';
import { importsProof } from './proof.ts';
import { importsUndo } from './undo.ts';

export const imports: Noun = {
  name: 'imports',
  about: 'Files that were imported, comparing them, and taking them back',
  commands: [importsProof, importsUndo, importsDiscard],
};
