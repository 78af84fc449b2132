import type { EntitySchema } from '@mikro-orm/postgresql';
import { tables as platform } from '#platform/tables.ts';
import { features } from './features.ts';

/** Every table of the product: those of the features, and the platform's own. */
export const entities = [...features.entities, ...platform.entities] as unknown as readonly EntitySchema[];
