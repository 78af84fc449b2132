import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import nodemailer, { type Transporter } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Port: hands a mail over, or throws so that the queue tries again. */
export interface Mailer {
  /** @param id the same for every try of one mail; becomes its Message-ID, so that a second delivery can be told. */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
}

export function smtpMailer(url: string, from: string): Mailer {
  const transport: Transporter = nodemailer.createTransport(url, {});
  return {
    async send(mail, id) {
      await transport.sendMail({ from, ...mail, messageId: messageId(id, from) });
    },
    close: () => transport.close(),
  };
}

/** Without SMTP a mail becomes an .eml file that any mail program opens. */
export function outboxMailer(folder: string, from: string): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail, id) {
      const composed = await transport.sendMail({ from, ...mail, messageId: messageId(id, from) });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${id}.eml`);
      await writeFile(`${file}.tmp`, composed.message as Buffer, { mode: 0o600 });
      await rename(`${file}.tmp`, file);
    },
    close: () => transport.close(),
  };
}

function messageId(id: string, from: string): string {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
