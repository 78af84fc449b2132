import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Mailer } from './mailer.ts';

/** Errors about one email: its addresses or its content were refused by a mail server that works. */
const ABOUT_ONE = new Set(['EENVELOPE', 'EMESSAGE']);

/**
 * Watches what emails are handed to. A mail server that is away keeps nobody from working, because emails wait in the queue: it is a
 * warning in `/readyz`, a figure, and a line in the log when that begins and when it ends.
 */
export class MailerWatch {
  readonly mailer: Mailer;
  readonly #log: Logger;
  #away = false;

  constructor({ mailer, log, metrics }: { mailer: Mailer; log: Logger; metrics: Metrics }) {
    this.#log = log;
    const attempts = metrics.counter({
      name: 'tonerow_email_attempts_total',
      help: 'Emails that this process handed to the mail server, by outcome; one that failed is tried again',
      labelNames: ['outcome'],
    });
    metrics.gauge(
      { name: 'tonerow_email_server_up', help: 'Whether the mail server could be used at the last attempt: 1 or 0' },
      () => [[{}, this.#away ? 0 : 1]],
      'min',
    );
    this.mailer = {
      send: async (...args) => {
        try {
          await mailer.send(...args);
        } catch (error) {
          const away = !ABOUT_ONE.has((error as { code?: string }).code ?? '') || isBusy(error);
          attempts.inc({ outcome: away ? 'unreachable' : 'refused' });
          this.#note(away, error);
          throw error;
        }
        attempts.inc({ outcome: 'sent' });
        this.#note(false);
      },
      close: () => mailer.close(),
    };
  }

  async warnings(): Promise<string[]> {
    return this.#away ? ['email_unreachable'] : [];
  }

  #note(away: boolean, error?: unknown): void {
    if (away === this.#away) return;
    this.#away = away;
    // its words may quote an address
    const code = (error as { code?: string } | undefined)?.code;
    if (away) this.#log.error({ code }, 'the mail server cannot be used: emails wait and are tried again');
    else this.#log.info('the mail server can be used again');
  }
}

/** It closes, or has no room for anybody: 421 and its relatives. */
const isBusy = (error: unknown) => [421, 452, 454].includes((error as { responseCode?: number }).responseCode ?? 0);
