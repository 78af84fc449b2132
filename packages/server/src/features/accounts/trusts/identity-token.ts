import { createDecoder, createVerifier } from 'fast-jwt';
import type { SigningKey } from './issuer-keys.ts';
import { type Provider, providerOf } from './issuers.ts';

/** The most that an issuer's clock may differ from ours. */
const LEEWAY_SECONDS = 30;
/** Jobs do not run longer. */
const LONGEST_SECONDS = 31 * 86_400;

export type Claims = Readonly<Record<string, unknown>>;

interface Unproven {
  algorithm: string;
  kid: string;
  claims: Claims;
}

const decode = createDecoder({ complete: true });

/**
 * GitHub events that start jobs for somebody who may not push. The jobs run by the files of a branch, with the
 * rights of the repository, and often on input from strangers: a pull request, or what one of them has built.
 */
const BY_STRANGERS: readonly unknown[] = [
  'pull_request',
  'pull_request_target',
  'pull_request_review',
  'pull_request_review_comment',
  'workflow_run',
  'issues',
  'issue_comment',
  'discussion',
  'discussion_comment',
  'fork',
  'gollum',
  'watch',
];
/** The same at GitLab. */
const OF_MERGE_REQUESTS: readonly unknown[] = ['merge_request_event', 'external_pull_request_event'];

/** Reads a token before anything is proven; null when it is no token. */
export function readToken(token: string): Unproven | null {
  try {
    const { header, payload } = decode(token) as { header: Record<string, unknown>; payload: unknown };
    const { alg, kid, crit } = header;
    // `crit` names extensions that must be understood, and none is
    if (crit !== undefined || typeof alg !== 'string' || typeof kid !== 'string') return null;
    if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return null;
    return { algorithm: alg, kid, claims: payload as Claims };
  } catch {
    return null;
  }
}

/** The claims of a token that this key has signed, or null. Of the claims nothing is checked. */
export function provenClaims(token: string, { algorithm, key }: SigningKey): Claims | null {
  const verify = createVerifier({
    key: key.export({ type: 'spki', format: 'pem' }) as string,
    algorithms: [algorithm],
    ignoreExpiration: true,
    ignoreNotBefore: true,
  });
  try {
    return verify(token) as Claims;
  } catch {
    return null;
  }
}

/** What a trust demands of a token. */
export interface Demands {
  issuer: string;
  repository_id: string;
  branch: string | null;
  environment: string | null;
}

interface Here {
  /** This server’s public address. */
  audience: string;
  now: Date;
}

/**
 * Why a token that is genuine is refused, as a sentence; null when it is not. The sentence repeats what the token has, which its
 * sender knows, and never what the trust demands.
 */
export function refusalOf(claims: Claims, demands: Demands, { audience, now }: Here): string | null {
  if (claims.iss !== demands.issuer) return 'The token is of another issuer than the trust.';
  const audiences = [claims.aud].flat();
  if (audiences.length !== 1 || audiences[0] !== audience)
    return `The token is for ${shown(claims.aud)}, not for this server. Ask for one with the audience ${audience}.`;
  const late = timeProblem(claims, now.getTime() / 1000);
  if (late) return late;
  if (typeof claims.jti !== 'string' || claims.jti === '') return 'The token has no id (jti).';
  return providers[providerOf(demands.issuer)](claims, demands);
}

/** The last moment at which a token that was not refused could be accepted. */
export const lastMoment = (claims: Claims): Date => new Date((Number(claims.exp) + LEEWAY_SECONDS) * 1000);

function timeProblem({ exp, nbf, iat }: Claims, now: number): string | null {
  if (typeof exp !== 'number' || typeof iat !== 'number')
    return 'The token lacks the time when it was issued, or when it expires.';
  if (exp + LEEWAY_SECONDS <= now) return 'The token has expired.';
  if (exp > now + LONGEST_SECONDS) return 'The token expires too late.';
  if (iat > now + LEEWAY_SECONDS) return 'The token was issued in the future.';
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf > now + LEEWAY_SECONDS))
    return 'The token is not valid yet.';
  return null;
}

const providers: Record<Provider, (claims: Claims, demands: Demands) => string | null> = {
  github(claims, { repository_id, branch, environment }) {
    if (idOf(claims.repository_id) !== repository_id)
      return `The token is of another repository: its repository_id is ${shown(claims.repository_id)}.`;
    if (BY_STRANGERS.includes(claims.event_name))
      return `The token is of a job that strangers can start: its event is ${shown(claims.event_name)}.`;
    if (branch !== null && claims.ref !== `refs/heads/${branch}`)
      return `The token is of another branch: its ref is ${shown(claims.ref)}.`;
    return environmentProblem(claims, environment);
  },
  gitlab(claims, { repository_id, branch, environment }) {
    if (idOf(claims.project_id) !== repository_id)
      return `The token is of another project: its project_id is ${shown(claims.project_id)}.`;
    // its ref is the branch that it comes from, which may be of a fork and have any name
    if (OF_MERGE_REQUESTS.includes(claims.pipeline_source) || /^refs\/merge-requests\//.test(String(claims.ref_path)))
      return 'The token is of a merge request.';
    if (branch !== null) {
      if (claims.ref_type !== 'branch' || claims.ref !== branch)
        return `The token is of another branch: its ref is ${shown(claims.ref)} (${shown(claims.ref_type)}).`;
      if (claims.ref_path !== undefined && claims.ref_path !== `refs/heads/${branch}`)
        return `The token is of no branch: its ref_path is ${shown(claims.ref_path)}.`;
    }
    return environmentProblem(claims, environment);
  },
};

function environmentProblem(claims: Claims, environment: string | null): string | null {
  if (environment === null || claims.environment === environment) return null;
  return `The token is of another environment: ${shown(claims.environment)}.`;
}

/** An id is a number in some tokens, and text in others. */
function idOf(claim: unknown): string | undefined {
  return typeof claim === 'string' || Number.isSafeInteger(claim) ? String(claim) : undefined;
}

const SHOWN = 100;

/** The value of a claim, short and in one line. */
function shown(claim: unknown): string {
  if (claim === undefined) return 'missing';
  return String(typeof claim === 'object' ? JSON.stringify(claim) : claim)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, SHOWN);
}

/** The CI run of a token, to recognize it in a log: "octo/plugins, run 4711". */
export function runOf(claims: Claims, issuer: string): string {
  const [where, what, run] =
    providerOf(issuer) === 'github'
      ? [claims.repository, 'run', claims.run_id]
      : [claims.project_path, 'job', claims.job_id];
  const parts = [where === undefined ? '' : shown(where), run === undefined ? '' : `${what} ${shown(run)}`];
  return parts.filter((part) => part !== '').join(', ');
}
