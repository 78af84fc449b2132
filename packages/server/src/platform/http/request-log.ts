import type { FastifyBaseLogger } from 'fastify';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
type Line = [object: object | string, message?: string];
type Parent = FastifyBaseLogger & { isLevelEnabled?(level: string): boolean };

/** The logger of a request. It is made when something is logged, which nearly no call of a plugin does. */
class RequestLog {
  readonly #parent: Parent;
  readonly #make: () => FastifyBaseLogger;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: Parent, make: () => FastifyBaseLogger) {
    this.#parent = parent;
    this.#make = make;
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: Line): void {
    this.#write('fatal', line);
  }
  error(...line: Line): void {
    this.#write('error', line);
  }
  warn(...line: Line): void {
    this.#write('warn', line);
  }
  info(...line: Line): void {
    this.#write('info', line);
  }
  debug(...line: Line): void {
    this.#write('debug', line);
  }
  trace(...line: Line): void {
    this.#write('trace', line);
  }
  silent(): void {}

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#logger().child(...args);
  }

  #write(level: Level, line: Line): void {
    if (this.#parent.isLevelEnabled?.(level) === false) return;
    (this.#logger()[level] as (...line: Line) => void)(...line);
  }

  #logger(): FastifyBaseLogger {
    this.#own ??= this.#make();
    return this.#own;
  }
}

export function requestLog(
  parent: FastifyBaseLogger,
  ...how: Parameters<FastifyBaseLogger['child']>
): FastifyBaseLogger {
  return new RequestLog(parent, () => parent.child(...how)) as FastifyBaseLogger;
}
