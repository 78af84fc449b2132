import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { type Content, type Contract, routesOf, type Schema } from '../../packages/sdk/generator/contract.ts';
import { fields } from '../../packages/server/src/contract/fields.ts';

const contract = JSON.parse(readFileSync('packages/sdk/openapi.json', 'utf8')) as Contract;
const routes = routesOf(contract);

/** Every schema with where it is found, at every depth. */
function* schemas(): Generator<[place: string, schema: Schema]> {
  const inside = function* (place: string, schema: Schema | undefined): Generator<[string, Schema]> {
    if (!schema) return;
    yield [place, schema];
    for (const [name, each] of Object.entries(schema.properties ?? {})) yield* inside(`${place}.${name}`, each);
    const { items, anyOf = [], allOf = [], oneOf = [] } = schema;
    for (const part of [items, ...anyOf, ...allOf, ...oneOf]) yield* inside(place, part);
    const { additionalProperties: others } = schema as { additionalProperties?: Schema | boolean };
    if (typeof others === 'object') yield* inside(place, others);
  };
  for (const [name, schema] of Object.entries(contract.components.schemas)) yield* inside(name, schema);
  for (const { operationId, requestBody, responses } of routes)
    for (const part of [requestBody, ...Object.values(responses)])
      for (const { schema } of Object.values(part?.content ?? {})) yield* inside(operationId, schema);
}

describe('the contract', () => {
  it('describes every property', () => {
    const silent = [...schemas()].flatMap(([place, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, { description }]) => (description ? [] : [`${place}.${name}`])),
    );
    expect([...new Set(silent)], 'describe them in their schema, or in packages/server/src/contract').toEqual([]);
  });

  it('describes every parameter, and what every status means', () => {
    const silent = routes.flatMap(({ operationId, parameters = [], responses }) => [
      ...parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
      ...Object.entries(responses)
        .filter(([, { description }]) => !description || description === 'Default Response')
        .map(([status]) => `${operationId} ${status}`),
    ]);
    expect(silent).toEqual([]);
  });

  it('lists paths and schemas by name, so that moving a file changes no line of it', () => {
    for (const named of [contract.paths, contract.components.schemas])
      expect(Object.keys(named)).toEqual(Object.keys(named).sort());
  });

  it('states each refusal once, and every reference leads somewhere', () => {
    const repeated = Object.values(contract.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses)
          .filter(([status, answer]) => Number(status) >= 400 && 'content' in answer && isBare(answer.content))
          .map(([status]) => `${operationId} ${status}`),
      );
    expect(repeated).toEqual([]);
    const found = referencesIn(contract);
    for (const name of Object.keys(contract.components.responses))
      expect(found).toContain(`#/components/responses/${name}`);
    const lost = found.filter((ref) => targetOf(contract, ref) === undefined);
    expect(lost).toEqual([]);
  });

  it('describes every group of operations, and none without operations', () => {
    const used = new Set(routes.flatMap(({ tags = [] }) => tags));
    const described = (contract.tags ?? []).filter(({ description }) => description).map(({ name }) => name);
    expect(described.sort()).toEqual([...used].sort());
  });

  it('refuses unknown fields in every JSON body but those of plugins and email programs', () => {
    const lenient = routes.flatMap(({ operationId, url, requestBody }) => {
      const { schema } = requestBody?.content['application/json'] ?? {};
      const body = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
      const { additionalProperties: others } = (body ?? {}) as { additionalProperties?: unknown };
      return body?.properties && others !== false ? [`${operationId} ${url}`] : [];
    });
    const foreign = /^\S+ \/(api\/license|api\/unsubscribe|api\/stripe)/;
    expect(lenient.filter((route) => !foreign.test(route))).toEqual([]);
  });

  it('explains no field that does not exist', () => {
    const owners = new Set(routes.map(({ operationId }) => operationId));
    const names = new Set([...schemas()].flatMap(([, { properties = {} }]) => Object.keys(properties)));
    for (const { parameters = [] } of routes) for (const { name } of parameters) names.add(name);
    const unknown = Object.keys(fields).filter((key) => {
      const [owner = '', ...rest] = key.split('.');
      const named = names.has(rest.at(-1) ?? owner);
      return !(
        named &&
        (rest.length === 0 || owners.has(owner) || names.has(owner) || owner in contract.components.schemas)
      );
    });
    expect(unknown).toEqual([]);
  });

  it('keeps no explanation that every field with this name has in words of its own', () => {
    const text = JSON.stringify(contract);
    expect(Object.keys(fields).filter((key) => !text.includes(JSON.stringify(fields[key])))).toEqual([]);
  });
});

describe('the contract for the programs of others', () => {
  const webhooks = Object.values(contract.webhooks ?? {}).map(({ post }) => post);
  const all = [...routes, ...webhooks];

  it('names a server, a version by its day and a license', () => {
    expect(contract.servers?.map(({ url }) => url)).toEqual(['/']);
    expect(contract.info.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(contract.info.license).toMatchObject({ name: expect.any(String), identifier: expect.any(String) });
  });

  it('gives every operation and every webhook a name of its own, a summary, and what it is called with', () => {
    const names = all.map(({ operationId }) => operationId);
    expect(webhooks.length).toBeGreaterThan(20);
    expect(names.filter((name, at) => !/^[A-Za-z0-9]+$/.test(name) || names.indexOf(name) !== at)).toEqual([]);
    expect(all.filter(({ summary }) => !summary)).toEqual([]);
    const known = Object.keys(contract.components.securitySchemes);
    const unclear = all.filter(
      ({ security }) => !security?.every((each) => Object.keys(each).every((scheme) => known.includes(scheme))),
    );
    expect(unclear.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('has no choice of one', () => {
    expect(choicesOf(contract).filter((choice) => choice.length < 2)).toEqual([]);
  });

  it('declares the values of every path, and a refusal of every operation', () => {
    const wrong = routes.filter(({ url, parameters = [], responses }) => {
      const inPath = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.flatMap(({ in: where, name }) => (where === 'path' ? [name] : []));
      const refused = Object.keys(responses).some((status) => status.startsWith('4'));
      return !refused || url.endsWith('/') || inPath.sort().join() !== declared.sort().join();
    });
    expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
  });
});

describe('the examples', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);
  ajv.addSchema(contract, 'contract');
  const found = routes.flatMap(({ url, method, operationId, requestBody, responses }) => {
    const at = (where: string[], content: Record<string, Content> = {}) =>
      Object.entries(content).flatMap(([type, { example }]) =>
        example === undefined
          ? []
          : [
              {
                operationId,
                type,
                example,
                pointer: pointer(['paths', url, method, ...where, 'content', type, 'schema']),
              },
            ],
      );
    return [
      ...at(['requestBody'], requestBody?.content),
      ...Object.entries(responses).flatMap(([status, { content }]) => at(['responses', status], content)),
    ];
  });

  it('cover every body that is sent', () => {
    const bodies = routes.flatMap(({ operationId, requestBody }) =>
      Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({ operationId, type, example })),
    );
    const without = bodies.filter(({ example }) => example === undefined);
    // these are a file, or a form with one
    expect(without.map(({ operationId, type }) => `${operationId} ${type}`).sort()).toEqual([
      'createImport multipart/form-data',
      'importAvailableSerials multipart/form-data',
      'importCustomers multipart/form-data',
      'importRedeemedSerials multipart/form-data',
      'uploadFilePart application/octet-stream',
      'uploadImage multipart/form-data',
      'uploadLogo multipart/form-data',
    ]);
  });

  it('cover the licensing and the serial operations', () => {
    const with_ = new Set(found.map(({ operationId }) => operationId));
    const needed = routes.filter(({ url }) => /^\/api\/(license\/v1|serials|batches)\b/.test(url));
    const without = needed.filter(({ operationId }) => !with_.has(operationId)).map(({ operationId }) => operationId);
    // these take a file
    expect(without.sort()).toEqual(['importAvailableSerials', 'importRedeemedSerials']);
  });

  it.each(found)('are what the contract allows: $operationId $pointer', ({ pointer: place, example }) => {
    const valid = ajv.validate({ $ref: `contract#${place}` }, example);
    expect(valid, ajv.errorsText()).toBe(true);
  });
});

/** Whether the content is a schema with a name and without an example of its own. */
function isBare(content: Record<string, Content> = {}): boolean {
  return Object.values(content).some(({ schema, example }) => schema?.$ref !== undefined && example === undefined);
}

/** The alternatives of every schema that has some. */
function choicesOf(part: unknown): unknown[][] {
  if (part === null || typeof part !== 'object') return [];
  const own = ['anyOf', 'oneOf'].flatMap((word) => {
    const choice = (part as Record<string, unknown>)[word];
    return Array.isArray(choice) ? [choice] : [];
  });
  return [...own, ...Object.values(part).flatMap(choicesOf)];
}

/** Every `$ref` at every depth, each once. */
function referencesIn(part: unknown): string[] {
  if (part === null || typeof part !== 'object') return [];
  const own = '$ref' in part ? [String(part.$ref)] : [];
  return [...new Set([...own, ...Object.values(part).flatMap(referencesIn)])];
}

function targetOf(part: unknown, ref: string): unknown {
  const steps = ref.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], part);
}

function pointer(parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}
