import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { domainToASCII } from 'node:url';
import nodemailer, { type SendMailOptions, type Transporter } from 'nodemailer';
import { SECOND } from '../clock.ts';
import type { Sql } from '../db/database.ts';
import { AtMost } from '../limits/at-most.ts';

export interface Email {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The sender's name instead of ours; the address stays the same. */
  fromName?: string;
  replyTo?: string;
  headers?: Record<string, string>;
}

/** Port: sends an email if, and only if, the caller's transaction commits. */
export interface EmailQueue {
  queue(sql: Sql, email: Email): Promise<void>;
}

export interface KeyedEmailQueue extends EmailQueue {
  /** The same, unless an email with this id has been queued before. */
  queueOnce(sql: Sql, id: string, email: Email): Promise<void>;
}

/** Port: hands an email over, or throws so that the queue tries again. */
export interface Mailer {
  /**
   * @param id the same for every attempt at one email; becomes its Message-ID, so that a duplicate can be recognized.
   */
  send(email: Email, id: string): Promise<void>;
  close(): void;
}

// an attempt must end before the queue hands the job to another worker
const PATIENCE = { connectionTimeout: 15 * SECOND, greetingTimeout: 15 * SECOND, socketTimeout: 30 * SECOND };

export function smtpMailer(url: string, from: string): Mailer {
  // settings in the address go before ours
  const transport: Transporter = nodemailer.createTransport({ ...PATIENCE, url } as object);
  const compose = composer(from);
  return {
    async send(email, id) {
      await transport.sendMail(await compose(email, id));
    },
    close: () => transport.close(),
  };
}

const ASKING = { connectionTimeout: 5 * SECOND, greetingTimeout: 5 * SECOND, socketTimeout: 5 * SECOND };

/** Connects and signs in, as for an email, and sends none. @throws what is wrong. */
export async function verifySmtp(url: string): Promise<void> {
  const transport: Transporter = nodemailer.createTransport({ ...ASKING, url } as object);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Writes emails as .eml files, which any email client opens, when there is no SMTP server. */
export function outboxMailer(folder: string, from: string): Mailer {
  const compose = composer(from);
  let made: Promise<unknown> | undefined;
  return {
    async send(email, id) {
      const { raw } = await compose(email, id);
      const file = path.join(folder, `${id}.eml`);
      try {
        made ??= mkdir(folder, { recursive: true, mode: 0o700 });
        await made;
        await writeFile(`${file}.tmp`, raw, { mode: 0o600 });
        await rename(`${file}.tmp`, file);
      } catch (error) {
        // somebody may have deleted the folder: the next attempt makes it again
        made = undefined;
        throw error;
      }
    },
    close: () => undefined,
  };
}

/** Composes one email at a time: twenty at once keep everything else in this process waiting until the last is done. */
function composer(from: string) {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const oneByOne = new AtMost(1);
  return async (email: Email, id: string) => {
    const { envelope, message } = await oneByOne.run(() => transport.sendMail(mimeOf(email, id, from)));
    return { envelope, raw: message as Buffer };
  };
}

/** Addresses go as objects: as text, a comma in one would make two of it. */
function mimeOf(email: Email, id: string, from: string): SendMailOptions {
  const { address, name } = sender(from);
  return {
    from: { address, name: email.fromName ?? name },
    to: { address: email.to, name: '' },
    subject: email.subject,
    text: email.text,
    html: email.html,
    messageId: messageId(id, from),
    ...(email.replyTo ? { replyTo: { address: email.replyTo, name: '' } } : {}),
    ...(email.headers ? { headers: email.headers } : {}),
    // an email's content must never make this process read files or fetch URLs
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function sender(from: string): { address: string; name: string } {
  const match = /^\s*"?(.*?)"?\s*<([^>]+)>\s*$/.exec(from);
  return { address: match?.[2] ?? from.trim(), name: match?.[1] ?? '' };
}

function messageId(id: string, from: string): string {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  // the one header whose address nodemailer writes as it is
  return `<${id}@${domainToASCII(domain) || domain}>`;
}
