import type { api } from './api.ts';

type Client = typeof api;
// biome-ignore lint/suspicious/noExplicitAny: any function will do, only its answer is read.
type Answer<K extends keyof Client> = Client[K] extends (...args: any[]) => Promise<infer R> ? R : never;

export type Product = Answer<'getProduct'>;
export type User = Answer<'login'>['user'];
export type RedeemedPage = Answer<'listRedeemedSerials'>;
export type RedeemedSerial = RedeemedPage['rows'][number];
export type Serial = Answer<'revokeSerial'>;
type GeneratedBatch = Answer<'generateSerials'>;
export type GeneratedSerial = GeneratedBatch['serials'][number];
export type PluginKey = Answer<'listPluginKeys'>['keys'][number];
export type Session = Answer<'listSessions'>[number];
export type AccessToken = Answer<'listAccessTokens'>[number];
