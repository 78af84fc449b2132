/**
 * SQL for a UUIDv7 of the moment that `at` represents, for rows that a statement makes by itself: PostgreSQL before 18 has
 * no function for it. Its first 48 bits are Unix milliseconds, the rest (but for the version) is random: RFC 9562, 5.7.
 * @example `insert into serial_events (id, …) select ${uuidV7('$3')}, … from changed`
 */
export const uuidV7 = (at: string): string =>
  `encode(set_byte(overlay(uuid_send(gen_random_uuid()) placing
    substring(int8send((extract(epoch from ${at}::timestamptz) * 1000)::bigint) from 3) from 1 for 6), 6,
    (get_byte(uuid_send(gen_random_uuid()), 0) & 15) | 112), 'hex')::uuid`;
