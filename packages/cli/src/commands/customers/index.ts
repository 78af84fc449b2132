import type { Noun } from '#define/command.ts';
import { customersActivity } from './activity.ts';
import { customersChange } from './change.ts';
import { customersChoices } from './choices.ts';
import { customersData } from './data.ts';
import { customersEmails } from './emails.ts';
import { customersErase } from './erase.ts';
import { customersExport } from './export.ts';
import { customersGet } from './get.ts';
import { customersImport } from './import.ts';
import { customersList } from './list.ts';
import { customersNote } from './note.ts';

export const customers: Noun = {
  name: 'customers',
  about: 'List, change, import, export and erase customers',
  commands: [
    customersList,
    customersGet,
    customersActivity,
    customersChoices,
    customersExport,
    customersImport,
    customersData,
    customersChange,
    customersNote,
    customersEmails,
    customersErase,
  ],
};
