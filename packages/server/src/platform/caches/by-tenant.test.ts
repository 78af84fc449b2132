import { expect, it } from 'vitest';
import { writeByTenant } from './by-tenant.ts';

const away = () => Object.assign(new Error('connection refused'), { code: '08006', severity: 'ERROR' });
const notes = ['ada 1', 'bob 1', 'ada 2', 'eve 1'];
const tenantOf = (note: string) => note.slice(0, 3);

/** Writes, unless one of the notes is of a tenant whose machine is gone. */
function writing(gone: readonly string[], fault: () => unknown = away) {
  const written: (readonly string[])[] = [];
  const write = async (own: readonly string[]) => {
    if (own.some((note) => gone.includes(tenantOf(note)))) throw fault();
    written.push(own);
  };
  return { written, done: writeByTenant(notes, tenantOf, write) };
}

it('writes all by one statement', async () => {
  const { written, done } = writing([]);
  await done;
  expect(written).toEqual([notes]);
});

it('writes each tenant’s by itself when a machine is gone, and reports what is lost', async () => {
  const { written, done } = writing(['bob']);
  await expect(done).rejects.toThrow('that of 1 of 3 could not be written');
  expect(written).toEqual([['ada 1', 'ada 2'], ['eve 1']]);
});

it('writes nothing again after another failure', async () => {
  const { written, done } = writing(['bob'], () => new Error('no such column'));
  await expect(done).rejects.toThrow('no such column');
  expect(written).toEqual([]);
});
