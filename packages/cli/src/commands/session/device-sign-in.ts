import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerOf, TonerowError } from '@tonerow/sdk';
import {
  forgetPendingSignIn,
  type PendingSignIn,
  readPendingSignIn,
  savePendingSignIn,
} from '#config/pending-sign-in.ts';
import { Failure, PendingError } from '#exit.ts';
import { canAsk } from '#input/prompt.ts';
import { write } from '#io.ts';
import { openBrowser } from '#output/browser.ts';
import type { Context } from '#run/context.ts';
import { keep } from './sign-in.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SLOWER_BY = 5;

type Started = AnswerOf<'startDeviceSignIn'>;

/**
 * Signs in by a code that the person confirms in a browser, on any machine. Where nobody is at the terminal, it prints the code and
 * ends: `--complete` waits for the answer.
 * @throws {PendingError} there.
 */
export async function signInByCode(context: Context, { browser }: { browser: boolean }): Promise<void> {
  const { hostname } = await import('node:os');
  const api = await context.client();
  const started = await api.startDeviceSignIn({ body: { machine: hostname() } }, context.call);
  const pending: PendingSignIn = {
    url: await context.url(),
    device_code: started.device_code,
    interval: started.interval,
    expires: nowOf(context) + started.expires_in * 1000,
  };
  if (context.globals.json || !canAsk(context.io, context.globals.input)) return printCode(context, started, pending);
  await showCode(context, started, browser);
  await waitAndKeep(context, pending);
}

/** Waits for the answer to a code that an earlier run has printed. */
export async function completeSignIn(context: Context): Promise<void> {
  const { io, profileName } = context;
  const pending = await readPendingSignIn(io.env, profileName);
  const again = `tonerow login${profileOption(profileName)}`;
  if (!pending)
    throw new Failure(`No sign-in is waiting with profile "${profileName}". Run "${again}" first.`, 'not_found');
  const url = await context.url();
  if (pending.url !== url)
    throw new Failure(`The sign-in that is waiting is for ${pending.url}, not ${url}. Pass --url ${pending.url}.`);
  try {
    await waitAndKeep(context, pending);
  } catch (error) {
    if (isOver(error)) await forgetPendingSignIn(io.env, profileName);
    throw error;
  }
  await forgetPendingSignIn(io.env, profileName);
}

async function showCode(context: Context, started: Started, browser: boolean): Promise<void> {
  const code = printable(started.user_code);
  const minutes = Math.round(started.expires_in / 60);
  const address = new URL(started.verification_uri).href;
  const opened = browser && (await openBrowser(context.io, new URL(started.verification_uri_complete).href));
  // on a terminal the person must see them, so not as a note
  context.warn(
    'sign_in_code',
    opened
      ? `Your code is ${code}. Confirm it in the browser that has opened, or at ${address}.`
      : `Open ${address} in a browser, on any machine, and enter the code ${code}.`,
  );
  context.note(`Waiting. The code works for ${minutes} minutes; Ctrl-C cancels.`);
}

async function printCode(context: Context, started: Started, pending: PendingSignIn): Promise<void> {
  const { io, globals, profileName } = context;
  await savePendingSignIn(io.env, profileName, pending);
  const { device_code: _, ...shown } = started;
  const next_step = `tonerow login --complete --url ${pending.url}${profileOption(profileName)}`;
  const printed = { ...shown, next_step };
  // a script or an agent may start it without a terminal
  if (globals.json) await context.print(printed, '');
  else await write(io.stdout, `${JSON.stringify(printed, null, 2)}\n`);
  throw new PendingError(
    `Open ${shown.verification_uri} in a browser and enter the code ${printable(shown.user_code)}. Then run "${next_step}".`,
  );
}

async function waitAndKeep(context: Context, pending: PendingSignIn): Promise<void> {
  const { access_token, user: account } = await answerTo(context, pending);
  await keep(context, access_token, account.email);
}

/** Asks at the pace that the server wants. */
async function answerTo(context: Context, { device_code, interval, expires }: PendingSignIn) {
  const { io } = context;
  const api = await context.client();
  const body = { grant_type: GRANT, device_code };
  for (let seconds = interval; ; ) {
    await (io.pause ?? ((ms, signal) => pause(ms, undefined, { signal })))(seconds * 1000, io.signal);
    try {
      return await api.finishDeviceSignIn({ body }, context.call);
    } catch (thrown) {
      const error = thrown as TonerowError;
      if (error.code === 'authorization_pending') continue;
      if (io.signal.aborted || !mayPass(error)) throw inWords(error);
      // a server that cannot be reached is asked less often, until the code is over
      if (nowOf(context) >= expires) throw error;
      seconds += SLOWER_BY;
    }
  }
}

const mayPass = ({ code, status, name }: TonerowError): boolean =>
  code === 'slow_down' ||
  status === 429 ||
  (status ?? 0) >= 500 ||
  name === 'ConnectionError' ||
  name === 'TimeoutError';

/** The person's answer, or that it came too late. */
const OVER: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was denied in the browser.',
  expired_token: 'The code has expired before it was confirmed. Run "tonerow login" again.',
  invalid_grant:
    'The code is no longer valid: it was used, or whoever confirmed it has signed out since. Run "tonerow login" again.',
};

function inWords(error: TonerowError): Error {
  const words = OVER[error.code ?? ''];
  return words === undefined ? error : new Failure(words, error.code);
}

/** As a shell reads it. */
function profileOption(name: string): string {
  if (name === 'default') return '';
  return ` --profile ${/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`}`;
}

const isOver = (error: unknown): error is Failure => error instanceof Failure && error.code in OVER;

const nowOf = ({ io }: Context): number => (io.now ?? Date.now)();

const printable = (text: string): string => text.replace(/\p{Cc}/gu, '');
