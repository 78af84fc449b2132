import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { issuerCertificate, issuerKey } from './certificates.ts';

export const GITHUB = 'https://token.actions.githubusercontent.com';
export const GITLAB = 'https://gitlab.com';
/** A GitLab of one's own, below a path. */
export const OWN_GITLAB = 'https://git.example.com/gitlab';

/** The repository and the project of jobs in the tests. */
export const REPOSITORY = '123456789';
export const PROJECT = '4711';

const DISCOVERY = '/.well-known/openid-configuration';

type Claims = Record<string, unknown>;

interface Signing {
  algorithm?: string;
  kid?: string;
  key?: KeyObject;
  header?: object;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Keys that the issuer does not have. */
export const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Any token, also one that no issuer would sign. */
export function signedToken(
  claims: Claims,
  { algorithm = 'RS256', kid = 'rsa', key = rsa.privateKey, header = {} }: Signing = {},
): string {
  const text = `${part({ alg: algorithm, typ: 'JWT', kid, ...header })}.${part(claims)}`;
  return `${text}.${signatureOf(text, algorithm, key).toString('base64url')}`;
}

function signatureOf(text: string, algorithm: string, key: KeyObject): Buffer {
  if (algorithm === 'none') return Buffer.alloc(0);
  if (algorithm === 'HS256')
    return createHmac('sha256', rsa.publicKey.export({ type: 'spki', format: 'pem' }))
      .update(text)
      .digest();
  if (algorithm === 'ES256') return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return sign(algorithm === 'RS512' ? 'sha512' : 'sha256', Buffer.from(text), key);
}

export const signedByEc = { algorithm: 'ES256', kid: 'ec', key: ec.privateKey };

const jwk = (kid: string, key: KeyObject, rest: object) => ({
  ...key.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  ...rest,
});
const usualKeys = () => [jwk('rsa', rsa.publicKey, { alg: 'RS256' }), jwk('ec', ec.publicKey, { alg: 'ES256' })];
/** The keys after a rotation: one is new, and the former ones are missing. */
export const rotatedKeys = () => [jwk('next', rsa.publicKey, { alg: 'RS256' })];

/** A stand-in for GitHub, gitlab.com and a GitLab of one’s own, reached by the proxy that requests to chosen addresses go through. */
export async function startIssuer() {
  const authorities = getCACertificates('default');
  setDefaultCACertificates([...authorities, issuerCertificate]);
  const state = {
    /** The requests so far, such as `gitlab.com/.well-known/openid-configuration`. */
    asked: [] as string[],
    keys: usualKeys() as unknown,
    discovery: (issuer: string): unknown => ({ issuer, jwks_uri: `${issuer}/keys` }),
    isDown: false,
    /** Instead of its keys. */
    keysAnswer: null as RequestListener | null,
    /** The claims that a job of GitHub gets from now on. */
    job: {} as Claims,
  };
  const sockets = new Set<Socket>();
  const issuer = createServer({ cert: issuerCertificate, key: issuerKey }, (request, response) => {
    const address = `${request.headers.host}${request.url}`;
    state.asked.push(address);
    if (state.keysAnswer && address.endsWith('/keys')) return state.keysAnswer(request, response);
    const answer = address.endsWith(DISCOVERY)
      ? state.discovery(`https://${address.slice(0, -DISCOVERY.length)}`)
      : address.endsWith('/keys')
        ? { keys: state.keys }
        : undefined;
    if (state.isDown || answer === undefined) response.writeHead(500).end();
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const port = await listening(issuer);
  const secret = randomUUID();
  const proxy = createHttpServer((request, response) => {
    // GitHub gives this to a job that may have identity tokens
    if (request.headers.authorization !== `Bearer ${secret}`) return response.writeHead(401).end();
    const audience = new URL(request.url ?? '', 'http://localhost').searchParams.get('audience');
    response.end(JSON.stringify({ value: signedToken({ ...githubClaims(audience ?? '', new Date()), ...state.job }) }));
  });
  proxy.on('connect', (_request, socket: Socket) => {
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => undefined);
    }
  });
  const proxyUrl = `http://127.0.0.1:${await listening(proxy)}`;
  return {
    state,
    /** Settings of the server that trusts it. */
    env: { TONEROW_EGRESS_PROXY: proxyUrl },
    /** The environment of a job at GitHub. */
    job: {
      GITHUB_ACTIONS: 'true',
      ACTIONS_ID_TOKEN_REQUEST_URL: `${proxyUrl}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret,
    },
    /** It is honest again. */
    reset() {
      state.keys = usualKeys();
      state.discovery = (own) => ({ issuer: own, jwks_uri: `${own}/keys` });
      state.isDown = false;
      state.keysAnswer = null;
      state.asked.length = 0;
      state.job = {};
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      for (const each of [issuer, proxy]) {
        each.closeAllConnections();
        each.close();
      }
      setDefaultCACertificates(authorities);
    },
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

/** A token’s times: issued a moment ago, for five minutes. */
function times(now: Date): Claims {
  const iat = Math.floor(now.getTime() / 1000) - 5;
  return { iat, nbf: iat, exp: iat + 300 };
}

/** As GitHub puts them into the token of a job that runs on `main`. */
export const githubClaims = (audience: string, now: Date): Claims => ({
  iss: GITHUB,
  aud: audience,
  sub: 'repo:octo/plugins:ref:refs/heads/main',
  jti: randomUUID(),
  repository: 'octo/plugins',
  repository_id: REPOSITORY,
  ref: 'refs/heads/main',
  ref_type: 'branch',
  event_name: 'push',
  run_id: '8001',
  ...times(now),
});

/** As GitLab does. */
export const gitlabClaims = (audience: string, now: Date, issuer = GITLAB): Claims => ({
  iss: issuer,
  aud: audience,
  sub: 'project_path:octo/plugins:ref_type:branch:ref:main',
  jti: randomUUID(),
  project_path: 'octo/plugins',
  project_id: PROJECT,
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  pipeline_source: 'push',
  job_id: '9001',
  ...times(now),
});

const listening = (server: Server | ReturnType<typeof createHttpServer>) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
