import { defineCommand } from '#define/define-command.ts';
import { required, text } from '#define/option-types.ts';
import { Failure, PartialError, UsageError } from '#exit.ts';
import { readTextFile } from '#input/local-file.ts';
import { diagnose } from './receiving/diagnose.ts';
import { secretFile, webhookSecret } from './receiving/secret.ts';

export const webhooksVerify = defineCommand({
  path: 'webhooks verify',
  summary:
    'Verify a webhook that was received, offline, and find out why it fails: secret, bytes, time, id or encoding',
  operations: [],
  fields: ['valid', 'cause', 'advice', 'id', 'sentAt', 'event'],
  args: [['<body>', 'a file with the body exactly as it arrived']],
  options: {
    headers: required(
      text('<file>', 'a file with its headers: a JSON object, or lines such as "webhook-id: …"'),
      'Name a file with --headers.',
    ),
    secretFile: secretFile('the webhook’s secret (whsec_…), or its public key (whpk_…)'),
    at: text('<moment>', 'as if it were then, such as when it arrived'),
  },
  examples: ['tonerow webhooks verify body.json --headers headers.txt --secret-file secret.txt'],
  async run({ context, args: [file], options }) {
    const { verifyWebhook } = await import('@tonerow/sdk');
    const body = await readTextFile(file);
    const headers = headersIn(await readTextFile(options.headers), options.headers);
    const now = options.at === undefined ? new Date() : new Date(options.at);
    if (Number.isNaN(now.getTime())) throw new UsageError('--at takes a moment such as 2026-03-10T12:00:00Z.');
    const secret = await webhookSecret(context, options);
    const verdict = await verifyWebhook(body, headers, secret, { now });
    if (verdict.valid) return context.print(verdict, `Valid: ${verdict.id}, sent ${verdict.sentAt.toISOString()}\n`);
    const found = await diagnose({ body, headers, secret, now }, (...given) => verifyWebhook(...given, { now }));
    await context.print({ valid: false, ...found }, `Not valid (${found?.cause}): ${found?.advice}\n`);
    throw new PartialError('The webhook is not valid.');
  },
});

/** The headers by their names in lower case. */
function headersIn(text: string, file: string): Record<string, string> {
  const entries: [string, unknown][] = text.trimStart().startsWith('{')
    ? Object.entries(parsed(text, file))
    : text.split(/\r?\n/).flatMap((line): [string, string][] => {
        const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line.trim()) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      });
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function parsed(text: string, file: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (error) {
    throw new Failure(`${file} begins as JSON, and is not valid: ${(error as Error).message}`);
  }
}
