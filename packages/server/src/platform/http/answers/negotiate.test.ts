import accepts from '@fastify/accepts';
import Fastify, { type FastifyRequest } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonOrCsv, preferred } from './negotiate.ts';
import { languageOf, wantsPage } from './pages.ts';

const app = Fastify();
let seen: FastifyRequest;
beforeAll(async () => {
  await app.register(accepts);
  app.get('/', async (request) => {
    seen = request;
    return {};
  });
});

async function asked(headers: Record<string, string>): Promise<FastifyRequest> {
  await app.inject({ url: '/', headers });
  return seen;
}

describe('the format of an answer', () => {
  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['text/*', 'csv'],
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv; header=present', 'csv'],
    ['application/json; charset=UTF-8', 'json'],
    ['text/csv, application/json', 'csv'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['text/csv;q=0.5, application/x-ndjson;q=0.9, */*;q=0.1', 'ndjson'],
    ['application/json;q=0, */*', 'csv'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ])('for Accept: %s is %s', async (accept, format) => {
    expect(preferred(await asked(accept === undefined ? {} : { accept }))).toBe(format);
  });

  it.each(['image/png', 'application/json;q=0', 'nonsense', ','])('is refused for Accept: %s', async (accept) => {
    const request = await asked({ accept });
    expect(() => preferred(request)).toThrow('Available formats');
  });

  it.each([
    [undefined, 'json'],
    ['text/csv', 'csv'],
    ['application/x-ndjson, text/csv;q=0.5', 'csv'],
    ['application/x-ndjson, */*;q=0.1', 'json'],
  ])('without NDJSON, for Accept: %s is %s', async (accept, format) => {
    expect(jsonOrCsv(await asked(accept === undefined ? {} : { accept }))).toBe(format);
  });

  it('is refused for NDJSON where there is none', async () => {
    const request = await asked({ accept: 'application/x-ndjson' });
    expect(() => jsonOrCsv(request)).toThrow('Available formats: application/json and text/csv.');
  });
});

it.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html;q=0.5', false],
  ['text/csv', false],
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
])('a page is for browsers: Accept: %s is %s', async (accept, page) => {
  expect(wantsPage(await asked(accept === undefined ? {} : { accept }))).toBe(page);
});

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt-BR, de;q=0.9', 'de'],
  ['fr;q=0.5, de;q=0.7', 'de'],
  ['de;q=0, fr', 'fr'],
  ['pt', 'en'],
  ['*', 'en'],
])('the language for Accept-Language: %s is %s', async (language, known) => {
  const request = await asked(language === undefined ? {} : { 'accept-language': language });
  expect(languageOf(request, ['en', 'de', 'fr'])).toBe(known);
});
