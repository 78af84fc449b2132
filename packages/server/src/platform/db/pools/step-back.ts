import os from 'node:os';
import type pg from 'pg';
import { announcedPid } from './pooler.ts';

/**
 * Lowers the priority of a connection's process, so that large work leaves the processor to plugins. Only for a database
 * on this machine: elsewhere, the number belongs to another process.
 */
export function stepBack(client: pg.ClientBase): void {
  const pid = announcedPid(client);
  if (pid === null) return;
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // where the system refuses, large work has the same share as plugins
  }
}
