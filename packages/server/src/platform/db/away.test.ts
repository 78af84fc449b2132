import { expect, it } from 'vitest';
import { isDatabaseAway, isPartAway } from './away.ts';

const refused = (code: string, message: string, severity = 'ERROR') =>
  Object.assign(new Error(message), { code, severity });

it.each([
  ['08006', 'connection to the remote node tonerow@worker-2:5432 failed'],
  ['08001', 'connection to the remote node failed with the following error: Connection refused'],
  ['08007', 'transaction resolution unknown'],
  ['57P01', 'terminating connection due to administrator command'],
  ['57P03', 'the database system is in recovery mode'],
  ['XX000', 'could not connect to worker-2:5432'],
  ['XX000', 'server closed the connection unexpectedly'],
  ['XX000', 'failure on connection marked as essential: worker-2:5432'],
  ['XX000', 'could not modify any active placements'],
])(
  'a machine behind the database that is away is told by %s, and the database is away for its tenants',
  (code, message) => {
    const error = refused(code, message);
    expect([isPartAway(error), isDatabaseAway(error)]).toEqual([true, true]);
    const wrapped = new Error('a look-up failed', { cause: error });
    expect([isPartAway(wrapped), isDatabaseAway(wrapped)]).toEqual([true, true]);
  },
);

it.each([
  ['57P01', 'terminating connection due to administrator command'],
  ['57P05', 'terminating connection due to idle-session timeout'],
  ['08P01', 'no more connections allowed'],
  ['25006', 'cannot execute INSERT in a read-only transaction'],
])('the database itself is away, and no part of it, when it ends the connection by %s', (code, message) => {
  const error = refused(code, message, 'FATAL');
  expect([isPartAway(error), isDatabaseAway(error)]).toEqual([false, true]);
});

it.each([
  ['08P01', 'insufficient data left in message'],
  ['XX000', 'cache lookup failed for relation 16384'],
  ['23505', 'duplicate key value violates unique constraint'],
  ['57014', 'canceling statement due to statement timeout'],
])('nothing is away after %s', (code, message) => {
  const error = refused(code, message);
  expect([isPartAway(error), isDatabaseAway(error)]).toEqual([false, false]);
});

it('a connection that was lost is not a part of the database', () => {
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect([isPartAway(lost), isDatabaseAway(lost)]).toEqual([false, true]);
});
