import type { FastifyRequest } from 'fastify';
import type { PluginKeys } from '#features/plugin-keys';
import { bearerOf } from '#platform/access/bearer.ts';
import type { App } from '#platform/http/app-kit.ts';
import { askedWith, workFor } from '#platform/work-context.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { Credential, PluginCaller } from './plugin-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once it has been looked up. */
    pluginCaller: Promise<PluginCaller | undefined> | null;
  }
}

export type CredentialOf = (request: FastifyRequest) => Credential | null;
/** Undefined when the credential is unknown. */
export type FindCaller = (request: FastifyRequest) => Promise<PluginCaller | undefined>;
/** @throws {LicenseRefusal} unauthorized */
export type CallerOf = (request: FastifyRequest) => Promise<PluginCaller>;

/** Resolves the credential of a request once, however often its caller is needed. */
export function pluginCallers(app: App, pluginKeys: PluginKeys, credentialOf: CredentialOf): FindCaller {
  app.decorateRequest('pluginCaller', null);
  const resolve = async (request: FastifyRequest): Promise<PluginCaller | undefined> => {
    const credential = credentialOf(request);
    const key = credential === null ? undefined : await pluginKeys.find(credential.key);
    if (!key || (credential?.developerId ?? key.developer_id) !== key.developer_id) return undefined;
    workFor(key.developer_id);
    askedWith({ kind: 'plugin_key', id: key.id, userId: key.developer_id });
    pluginKeys.usage.called(key.id);
    return { developerId: key.developer_id, keyId: key.id, isTest: key.is_test, asker: request.asker };
  };
  return (request) => {
    request.pluginCaller ??= resolve(request);
    return request.pluginCaller;
  };
}

export function refusingStrangers(find: FindCaller): CallerOf {
  return async (request) => {
    const caller = await find(request);
    if (!caller) throw new LicenseRefusal('unauthorized');
    return caller;
  };
}

/** Bearer, x-ss-api-key, or the pair of x-app-id (the developer's id) and x-app-key (the plugin key). */
export function credentialOf(request: FastifyRequest): Credential | null {
  const bearer = bearerOf(request);
  if (bearer) return { key: bearer };
  const { 'x-ss-api-key': single, 'x-app-id': developerId, 'x-app-key': pair } = request.headers;
  if (typeof single === 'string') return { key: single };
  return typeof developerId === 'string' && typeof pair === 'string' ? { key: pair, developerId } : null;
}

/**
 * The same, or the legacy pair app_id and app_key in the query or in the body: JUCE moves the query of an address into
 * the form that it posts. HISE appends a slash to what it posts to, and with a query that slash lands in the last
 * value: one is taken off.
 */
export function legacyCredentialOf(request: FastifyRequest): Credential | null {
  const key = pairField(request, 'app_key');
  const developerId = pairField(request, 'app_id');
  return credentialOf(request) ?? (key && developerId ? { key, developerId } : null);
}

function pairField({ query, body }: FastifyRequest, name: 'app_id' | 'app_key'): string | undefined {
  for (const place of [query, body] as (Record<string, unknown> | null | undefined)[]) {
    const sent = place?.[name];
    const value: unknown = Array.isArray(sent) ? sent[0] : sent;
    if (typeof value === 'string' && value !== '') return value.replace(/\/$/, '');
  }
  return undefined;
}
