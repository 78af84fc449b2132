import type { Noun } from '#define/command.ts';
import { viewsDelete } from './delete.ts';
import { viewsList } from './list.ts';
import { viewsSave } from './save.ts';

export const views: Noun = {
  name: 'views',
  about: 'Filters, orders and columns of lists, under a name',
  commands: [viewsList, viewsSave, viewsDelete],
};
