import path from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import { type Email, outboxMailer, smtpMailer } from '#platform/email/mailer.ts';
import { systemRandom } from '#platform/random.ts';
import { readConfig } from '../config.ts';
import { type Call, USAGE_ERROR } from './surroundings.ts';

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** `emails test ADDRESS`: needs no account and no database. */
export async function emails({ action, subjects, env, out, err }: Call): Promise<number | null> {
  const [to, ...more] = subjects;
  if (action !== 'test' || to === undefined || more.length > 0) return null;
  if (!ADDRESS.test(to)) {
    err(`${to} is no email address.\n`);
    return USAGE_ERROR;
  }
  const { smtpUrl, emailFrom, dataDir, publicUrl } = readConfig(env);
  const id = systemRandom(systemClock).id();
  const outbox = path.resolve(dataDir, 'outbox');
  const mailer = smtpUrl ? smtpMailer(smtpUrl, emailFrom) : outboxMailer(outbox, emailFrom);
  const where = smtpUrl ? new URL(smtpUrl).host : outbox;
  try {
    await mailer.send(operatorTestEmail(to, publicUrl), id);
  } catch (error) {
    // the code of nodemailer, and what the server answered
    err(`${where} did not take the email: ${(error as Error).message}\n`);
    return 1;
  } finally {
    mailer.close();
  }
  out(
    smtpUrl
      ? `${where} took the email from ${emailFrom} to ${to}. If it does not come, look at what that server did with it.\n`
      : `SMTP_URL is not set, so the email to ${to} became a file: ${path.join(outbox, `${id}.eml`)}\n`,
  );
  return 0;
}

function operatorTestEmail(to: string, publicUrl: string): Email {
  return composeEmail({
    to,
    subject: 'Test email',
    lines: [
      `This is a test email of Tonerow at ${publicUrl}. Whoever runs the server asked for it; nothing is to be done.`,
    ],
  });
}
