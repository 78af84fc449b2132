import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';

/** The lists that views are of. */
export const lists = ['redeemed', 'available', 'batches', 'customers', 'transactions', 'products', 'orders'] as const;

const Name = z
  .string('Enter a name.')
  .trim()
  .min(1, 'Enter a name.')
  .max(60, 'Use at most 60 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')
  .describe('Unique among the views of its list, in upper or lower case.')
  .meta({ examples: ['Sold in Europe'] });
const List = z.enum(lists).describe('The list that it is a view of.');
const word = z.string().regex(/^[a-zA-Z_]{1,40}$/, 'Not valid.');
const Filter = z
  .record(word, z.string().max(4000, 'Use at most 4,000 characters.'))
  .refine((filter) => Object.keys(filter).length <= 20, 'Keep at most 20 parameters.')
  .describe('Parameters of the list, such as `status`, `search` and `sort`, with their values.');
const Hidden = z.array(word).max(40, 'Hide at most 40 columns.').describe('The columns that are not shown.');

export const View = z
  .object({ id: Id, list: List, name: Name, filter: Filter, hidden_columns: Hidden, created_at: Time })
  .meta({ id: 'View' });
export type View = z.output<typeof View>;
export const Views = z.object({ views: z.array(View).describe('By name, at most 50.') }).meta({ id: 'Views' });

export const ViewsQuery = z.object({ list: List.optional() });
export const CreateViewBody = z
  .strictObject({ list: List, name: Name, filter: Filter.default({}), hidden_columns: Hidden.default([]) })
  .meta({ id: 'CreateView' });
export type CreateViewBody = z.output<typeof CreateViewBody>;
export const ChangeViewBody = z
  .strictObject({ name: Name, filter: Filter, hidden_columns: Hidden })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Enter what to change.')
  .meta({ id: 'ChangeView', description: 'What is absent stays.' });
export type ChangeViewBody = z.output<typeof ChangeViewBody>;
