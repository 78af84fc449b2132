import type { Noun } from '../../define-command.ts';
import { customersData } from './data.ts';
import { customersErase } from './erase.ts';
import { customersExport } from './export.ts';
import { customersGet } from './get.ts';
import { customersImport } from './import.ts';
import { customersList } from './list.ts';

export const customers: Noun = {
  name: 'customers',
  about: 'List, import, export and erase customers',
  commands: [customersList, customersGet, customersExport, customersImport, customersData, customersErase],
};
