import { createHmac } from 'node:crypto';
import fastifyJwt from '@fastify/jwt';
import { TokenError } from 'fast-jwt';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Clock, DAY, SECOND } from '../clock.ts';
import type { App } from '../http/app-kit.ts';
import { type Secrets, sameBytes } from '../secrets/secrets.ts';
import { bearerOf } from './bearer.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: SessionClaims;
    user: SessionClaims;
  }
}

interface SessionClaims {
  /** The session. Its row decides everything else. */
  sid: string;
  /** Seconds. */
  iat: number;
  /** Seconds; set by the plugin. */
  exp?: number;
}

/** A session that was just opened, to be given to its owner as a token. */
export interface OpenedSession {
  id: string;
  openedAt: Date;
}

/** The session that a request's token names, or null when the token is not ours or its time is over. */
export type SessionIdOf = (request: FastifyRequest) => Promise<string | null>;

/** A token as the plugin shows it when it asks for the key. */
interface Decoded {
  header: { kid?: unknown };
  input: string;
  signature: string;
}

/** Longer than any session, which slides: the row's own date ends it. */
const LIFETIME = 10 * 365 * DAY;
/** How many tokens a process keeps in mind, the least recently used one dropped. */
const REMEMBERED = 10_000;

/**
 * Session tokens: HS256, under keys that sign nothing else. The newest secret signs, and every configured one verifies.
 */
export async function sessionTokens(app: App, deps: { secrets: Secrets; clock: Clock }): Promise<SessionIdOf> {
  const { secrets, clock } = deps;
  const kids = secrets.fingerprints();
  const keys = secrets.keys('jwt:session').map((key, index) => ({ key, kid: kids[index] as string }));
  const [newest] = keys as [(typeof keys)[number]];
  const keyOf = ({ header, input, signature }: Decoded): Buffer | undefined => {
    if (header.kid !== undefined) return keys.find(({ kid }) => kid === header.kid)?.key;
    // tokens that were issued before they named their key
    return keys.find(({ key }) => signed(input, key, signature))?.key;
  };
  await app.register(fastifyJwt, {
    secret: {
      private: newest.key,
      public(_request: FastifyRequest, token: unknown, done: (error: Error | null, key?: Buffer) => void) {
        const key = keyOf(token as Decoded);
        // never without a key: the plugin would look for another one
        if (key) done(null, key);
        else done(new TokenError('FAST_JWT_KEY_FETCHING_ERROR', 'No configured secret signed this token.'));
      },
    },
    sign: { algorithm: 'HS256', kid: newest.kid, expiresIn: LIFETIME / SECOND },
    decode: { complete: true },
    verify: {
      algorithms: ['HS256'],
      checkTyp: 'JWT',
      requiredClaims: ['sid', 'exp'],
      extractToken: (request) => bearerOf(request) ?? undefined,
    },
  });

  // a signature stays right as long as the process has its secrets, so it is checked once; the time, each time
  const proven = new LRUCache<string, SessionClaims>({ max: REMEMBERED });
  return async (request) => {
    const now = clock.now().getTime();
    const token = bearerOf(request) ?? '';
    const known = proven.get(token);
    if (known?.exp && now < known.exp * SECOND) return known.sid;
    try {
      const claims = await request.jwtVerify<SessionClaims>({ clockTimestamp: now });
      if (typeof claims.sid !== 'string') return null;
      proven.set(token, claims);
      return claims.sid;
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  };
}

/** The token that its owner sends from now on. */
export function sessionToken(app: App, { id, openedAt }: OpenedSession): string {
  return app.jwt.sign({ sid: id, iat: Math.floor(openedAt.getTime() / SECOND) });
}

/** Whether it is about the token: the plugin's errors and those of fast-jwt. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^FA?ST_JWT_/.test(String(error.code));
}

function signed(input: string, key: Buffer, signature: string): boolean {
  return sameBytes(createHmac('sha256', key).update(input).digest(), Buffer.from(signature, 'base64url'));
}
