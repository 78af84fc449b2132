/** More would cost more in plans and locks than vacuum and indexes gain. */
export const MOST_PARTITIONS = 128;

export const isPartitions = (by: number): boolean => Number.isInteger(by) && by >= 2 && by <= MOST_PARTITIONS;

/**
 * Partitions have a schema for each remainder of the hash, in which tables, indexes and constraints have the names that they have in
 * `public`: an error names the constraint that the code knows, and lists of the tables in `public` stay as they were.
 */
export const partitionSchema = (remainder: number) => `partition_${remainder}`;

/** The schema where a table is filled before it takes the place of another. It exists only during a run. */
export const WORKSHOP = 'partitioning';

/** Schemas that are no place for entities. */
export const OTHER_SCHEMAS = [
  WORKSHOP,
  ...Array.from({ length: MOST_PARTITIONS }, (_, remainder) => partitionSchema(remainder)),
];

/** Held while tables get their partitions: no migration may change them meanwhile. */
export const PARTITIONING_LOCK = 7_203_945_812;
