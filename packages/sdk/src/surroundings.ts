import { SDK_VERSION } from './generated/version.gen.ts';

/** A credential, or a function that returns it for each call, or a promise of it. Null: none. */
export type Token = string | null | (() => string | null | undefined | Promise<string | null | undefined>);

/** The server that a client calls, and its credential. */
interface Given {
  baseUrl?: string;
  token?: Token;
}

/** Globals that only some of Node, Deno, Bun, workers and browsers have. */
interface Surroundings {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } };
  Deno?: { version?: { deno?: string } };
  Bun?: { version?: string };
  document?: unknown;
  location?: unknown;
  navigator?: { userAgent?: string };
}

const here = globalThis as unknown as Surroundings;

/**
 * The server of a call: the client's, that of `TONEROW_URL`, or the page's own.
 * @throws {TypeError} where none is named. It throws on the call, because a program that only imports a module must not
 * fail.
 */
export function serverOf({ baseUrl }: Given): string {
  const named = baseUrl ?? variable('TONEROW_URL') ?? (here.document && here.location ? '' : undefined);
  if (named === undefined)
    throw new TypeError('The server is not known: pass createClient a baseUrl, or set TONEROW_URL.');
  return named.replace(/\/+$/, '');
}

/** The credential of a call. That of the environment is not sent to another server than the environment's, where it names one. */
export async function tokenOf({ token, baseUrl }: Given): Promise<string | undefined> {
  if (typeof token === 'function') return (await token()) || undefined;
  if (token !== undefined) return token || undefined;
  const own = variable('TONEROW_URL');
  if (baseUrl !== undefined && own !== undefined && originOf(baseUrl) !== originOf(own)) return undefined;
  return variable('TONEROW_TOKEN');
}

/** Names the caller: the program, this package and what runs it. Undefined in browsers, which name themselves. */
export function userAgentOf(program: string | undefined): string | undefined {
  const runtime = runtimeHere();
  if (runtime === undefined && program === undefined) return undefined;
  return [program, `tonerow-sdk/${SDK_VERSION}`, runtime].filter((part) => part !== undefined).join(' ');
}

function runtimeHere(): string | undefined {
  if (here.document !== undefined) return undefined;
  if (here.Bun?.version) return `bun/${here.Bun.version}`;
  if (here.Deno?.version?.deno) return `deno/${here.Deno.version.deno}`;
  if (here.process?.versions?.node) return `node/${here.process.versions.node}`;
  return here.navigator?.userAgent === 'Cloudflare-Workers' ? 'workerd' : undefined;
}

function variable(name: string): string | undefined {
  try {
    return here.process?.env?.[name]?.trim() || undefined;
  } catch {
    // Deno without the permission to read it: for this program it is not set
    return undefined;
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
