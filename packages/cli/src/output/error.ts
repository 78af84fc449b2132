import type { TonerowError } from '@tonerow/sdk';
import { CancelledError, EXIT, Failure, NotSignedIn, PartialError, PendingError, UsageError } from '#exit.ts';
import type { Io } from '#io.ts';
import type { LostAnswer } from '#run/lost-answer.ts';

interface ErrorReport {
  code: number;
  /** The message for people, on stderr. */
  text: string;
  /** The error for scripts, on stderr, with --json. */
  json: object;
}

/** The meaning of an error: the exit code, and a message with the next step. */
export function reportOf(error: unknown, env: Io['env'], lost?: LostAnswer): ErrorReport {
  const report = meaning(error, env);
  if (!lost) return report;
  const advice = `It may have taken effect. Run the same command with ${lost.again} to get its response.`;
  return {
    code: report.code,
    text: `${report.text}\n${advice}\nIdempotency key: ${lost.key}`,
    json: { ...report.json, idempotency_key: lost.key },
  };
}

function meaning(error: unknown, env: Io['env']): ErrorReport {
  if (error instanceof UsageError) return errorReport(EXIT.usage, error.message, 'usage');
  if (error instanceof CancelledError) return errorReport(EXIT.cancelled, error.message, 'cancelled');
  if (error instanceof PartialError) {
    const { code, text, json } = errorReport(EXIT.partial, error.message, 'partial');
    return { code, text, json: error.failures.length > 0 ? { ...json, failures: error.failures } : json };
  }
  if (error instanceof PendingError) return errorReport(EXIT.pending, error.message, 'pending');
  if (error instanceof NotSignedIn) {
    const { message, hint } = error;
    return { code: EXIT.authentication, text: `${message} ${hint}`, json: { code: 'not_signed_in', message, hint } };
  }
  if (error instanceof Failure) return errorReport(EXIT.failure, error.message, error.code);
  if (isTonerowError(error)) return ofServer(error, env);
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return errorReport(EXIT.cancelled, 'Canceled.', 'cancelled');
  return errorReport(EXIT.failure, message ?? String(error), code ?? 'failure');
}

function ofServer(error: TonerowError, env: Io['env']): ErrorReport {
  const status = error.status;
  const code =
    status === 401 || error.code === 'insufficient_scope' || needsSession(error)
      ? EXIT.authentication
      : status === 429 || error.code === 'quota_reached'
        ? EXIT.limited
        : EXIT.failure;
  const license = (error.problem as { status?: unknown } | undefined)?.status;
  const [first] = error.errors;
  // the message is the first field's, with its name or without
  const isRepeated = first && error.message.toLowerCase().includes(first.message.toLowerCase());
  const named = isRepeated && first.path && !error.message.includes(first.path) ? ` (${first.path})` : '';
  const fields = error.errors.slice(isRepeated ? 1 : 0).map(({ path, message }) => `  ${path}: ${message}`);
  const refused = error.code === 'idempotency_key_reused' ? 'Refused. ' : '';
  const hints = next(error, env);
  const lines = [
    `${refused}${typeof license === 'string' ? `${license}: ` : ''}${error.message}${named}`,
    ...fields,
    ...hints,
    ...(error.requestId ? [`Request id: ${error.requestId}`] : []),
  ];
  const json = error.problem ?? { code: error.code ?? wordOf(error.name), message: error.message };
  const hint = hints.length > 0 ? { hint: hints.join(' ') } : {};
  return { code, text: lines.join('\n'), json: { ...json, ...hint, request_id: error.requestId } };
}

/** `connection_error` for ConnectionError: codes are written alike. */
const wordOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

const UNTRUSTED =
  /\((UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)\b/;

/** Whether an access token cannot do this with any scope. The server has no code of its own for it. */
const needsSession = ({ status, message }: TonerowError): boolean =>
  status === 403 && message.includes('requires a signed-in session');

function next(error: TonerowError, env: Io['env']): string[] {
  if (needsSession(error))
    return [
      env.TONEROW_TOKEN
        ? 'The credential comes from TONEROW_TOKEN: unset it, and sign in with "tonerow login".'
        : 'Sign in with "tonerow login".',
    ];
  if (error.code === 'insufficient_scope') {
    const [scope = '…'] = /missing the scope (\S+?)\.?(?: or |$)/.exec(error.message)?.slice(1) ?? [];
    return [`Create a token that has it: tonerow tokens create NAME --scope ${scope}`];
  }
  if (error.code === 'idempotency_key_reused')
    return ['Nothing was done: that key belongs to another request. Use another --idempotency-key, or none.'];
  if (error.code === 'product_has_redeemed_serials') return ['To do so, add --force.'];
  if (error.code === 'email_unverified') return ['Request another email with "tonerow resend-verification".'];
  if (error.code?.startsWith('two_factor')) return ['Pass it with --code.'];
  if (error.code === 'identity_refused')
    return ['TONEROW_TRUST names the trust: see "tonerow trust list" on your own machine.'];
  // after a wrong password, do not suggest signing in
  if (error.code === 'invalid_credentials') return [];
  if (error.status === 401 && error.problem?.code && env.TONEROW_TOKEN)
    return ['The credential comes from TONEROW_TOKEN: replace it, or unset it to use "tonerow login".'];
  if (error.status === 401 && error.problem?.code) return ['Sign in again with "tonerow login", or set TONEROW_TOKEN.'];
  if (error.status === 429 && error.retryAfter !== undefined) return [`Try again in ${Math.ceil(error.retryAfter)} s.`];
  if (/\((CERT_NOT_YET_VALID|CERT_HAS_EXPIRED)\)/.test(error.message))
    return [`If the server is fine, the clock here is wrong: it shows ${new Date().toISOString().slice(0, 16)}Z.`];
  if (UNTRUSTED.test(error.message))
    return [
      'For an authority of your own, name the file with its certificate in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS.',
    ];
  // the address is right where something came
  if (error.name === 'ConnectionError' && !error.message.includes('cannot be reached')) return [];
  if (error.status === undefined) return ["Check the server's URL. It comes from --url, TONEROW_URL or your profile."];
  return [];
}

function errorReport(code: number, message: string, word: string): ErrorReport {
  return { code, text: message, json: { code: word, message } };
}

// by name, so that the SDK is not loaded for a usage error
function isTonerowError(error: unknown): error is TonerowError {
  return error instanceof Error && Array.isArray((error as { errors?: unknown }).errors) && 'requestId' in error;
}
