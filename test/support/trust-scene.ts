import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { MINUTE, TestClock } from '../../packages/server/src/platform/clock.ts';
import { call, type Person, signUp } from './http.ts';
import {
  GITHUB,
  GITLAB,
  githubClaims,
  gitlabClaims,
  type Issuer,
  OWN_GITLAB,
  PROJECT,
  REPOSITORY,
  startIssuer,
} from './issuer.ts';
import { startServer, type TestServer } from './server.ts';

export const AUDIENCE = 'https://tonerow.example.com';
export const SCOPES = ['account:read', 'products:read'];

/** A developer who trusts jobs of a stand-in for GitHub and GitLab, for the tests of one file. */
export function trustScene() {
  const clock = new TestClock('2026-03-10T12:00:00Z');
  let issuer: Issuer;
  let server: TestServer;
  let ada: Person;
  const trusts: Record<'github' | 'gitlab' | 'own' | 'environment', string> = {
    github: '',
    gitlab: '',
    own: '',
    environment: '',
  };
  const trust = async (body: object, person = ada): Promise<string> => {
    const form = { name: 'release', scopes: SCOPES, ...body };
    const made = await call(server, 'POST', '/api/developer/trusts', { token: person.token, body: form });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  };
  beforeAll(async () => {
    issuer = await startIssuer();
    server = await startServer({ overrides: { clock }, env: { ...issuer.env, TONEROW_PUBLIC_URL: AUDIENCE } });
    ada = await signUp(server);
    trusts.github = await trust({ issuer: GITHUB, repository_id: REPOSITORY, branch: 'main' });
    trusts.gitlab = await trust({ issuer: GITLAB, repository_id: PROJECT, branch: 'main' });
    trusts.own = await trust({ issuer: `${OWN_GITLAB}/`, repository_id: PROJECT, branch: 'main' });
    trusts.environment = await trust({ issuer: GITHUB, repository_id: REPOSITORY, environment: 'production' });
  });
  afterAll(async () => {
    await server.stop();
    issuer.stop();
  });
  afterEach(() => {
    issuer.reset();
  });
  return {
    clock,
    trusts,
    trust,
    get issuer() {
      return issuer;
    },
    get server() {
      return server;
    },
    get ada() {
      return ada;
    },
    exchange: (id: string, token: string) =>
      call(server, 'POST', '/api/auth/oidc/exchange', { body: { trust: id, token } }),
    github: (claims: object = {}) => ({ ...githubClaims(AUDIENCE, clock.now()), ...claims }),
    gitlab: (claims: object = {}, from = GITLAB) => ({ ...gitlabClaims(AUDIENCE, clock.now(), from), ...claims }),
    seconds: () => clock.now().getTime() / 1000,
    /** So that the issuer may be asked again, and its keys are not kept any longer. */
    anHourLater: () => clock.advance(61 * MINUTE),
  };
}
