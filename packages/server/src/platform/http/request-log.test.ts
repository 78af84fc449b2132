import { expect, it, vi } from 'vitest';
import { createLogger } from '../log.ts';
import { requestLog } from './request-log.ts';

function logs(level: string) {
  const lines: string[] = [];
  const parent = createLogger(level, { write: (line) => void lines.push(line) });
  // a spy would stay with the class, and children would inherit it
  const child = vi.fn((bindings: object) => parent.child(bindings));
  const isLevelEnabled = (of: string) => parent.isLevelEnabled(of);
  const log = requestLog({ level: parent.level, isLevelEnabled, child } as never, { reqId: 'r-1' });
  return { log, child, written: () => lines.map((line) => JSON.parse(line)) };
}

it('is made by the first line that is written, and names the request in all of them', () => {
  const { log, child, written } = logs('info');
  log.debug({ code: 'x' }, 'nothing of the kind');
  expect(child).not.toHaveBeenCalled();
  log.warn({ password: 'secret' }, 'first');
  log.info('second');
  expect(child).toHaveBeenCalledOnce();
  log.child({ step: 2 }).error('third');
  expect(written()).toEqual([
    expect.objectContaining({ level: 'warn', reqId: 'r-1', msg: 'first', password: '[redacted]' }),
    expect.objectContaining({ level: 'info', reqId: 'r-1', msg: 'second' }),
    expect.objectContaining({ level: 'error', reqId: 'r-1', step: 2, msg: 'third' }),
  ]);
});

it('writes what the logger of the process writes', () => {
  const { log, written } = logs('trace');
  log.trace('a');
  log.debug('b');
  log.fatal('c');
  expect(log.level).toBe('trace');
  expect(written().map(({ level }) => level)).toEqual(['trace', 'debug', 'fatal']);
});
