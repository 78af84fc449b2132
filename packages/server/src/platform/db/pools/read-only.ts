import type pg from 'pg';

/** The SQL state of each statement that writes, on a machine that is a replica since a failover. */
const ONLY_READS = '25006';

/** The driver has an event for each error of its server, but does not declare it. */
interface Inside {
  connection: { on(event: 'errorMessage', listener: (error: { code?: string }) => void): void };
}

const readers = new WeakSet<pg.ClientBase>();

/** Remembers of a connection that its machine only reads, also where a service makes another error of that, or none. */
export function noticeReadOnly(client: pg.ClientBase): void {
  const { connection } = client as unknown as Inside;
  connection.on('errorMessage', ({ code }) => {
    if (code === ONLY_READS) readers.add(client);
  });
}

/** True on a connection to a machine that only reads: another one may lead to the machine that writes now. */
export const onlyReads = (client: pg.ClientBase): boolean => readers.has(client);
