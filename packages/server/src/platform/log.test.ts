import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { execaSync } from 'execa';
import { expect, it } from 'vitest';
import { createLogger } from './log.ts';

const levels = 'fatal|error|warn|info|debug|trace';

it('many loggers of a process share its standard output, and leave nothing behind each', () => {
  createLogger('silent');
  const listeners = process.listenerCount('exit');
  for (let made = 0; made < 12; made += 1) createLogger('silent');
  expect(process.listenerCount('exit')).toBe(listeners);
});

it('a line has no name twice: nothing is logged under a name that every line has', () => {
  const used = execaSync(
    'git',
    [
      'grep',
      '-nE',
      `log\\.(${levels})\\(\\{([^}]*,)? *(pid|level|time|msg) *[,:}]`,
      'packages/server/src',
      ':!*.test.ts',
    ],
    {
      reject: false,
    },
  );
  expect(used.stdout).toBe('');
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  log.info({ postgres: 4711 }, 'PostgreSQL is running');
  expect(lines[0]?.match(/"pid":/g)).toHaveLength(1);
  expect(JSON.parse(lines[0] as string)).toMatchObject({ pid: process.pid, postgres: 4711 });
});

it('a line that is written amid a span names it and its trace, and no other line does', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const span = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 };
  context.with(trace.setSpan(ROOT_CONTEXT, trace.wrapSpanContext(span)), () =>
    log.child({ reqId: 'r' }).info('within'),
  );
  log.info('outside');
  context.disable();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'within', trace_id: span.traceId, span_id: span.spanId }),
    expect.not.objectContaining({ trace_id: expect.anything() }),
  ]);
});
