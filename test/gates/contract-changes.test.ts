import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breakingChanges, type Surface } from '../../scripts/lib/contract-changes.ts';
import { contractFile, notesFile, releasedFile } from '../../scripts/lib/contract-files.ts';

const read = (file: URL) => JSON.parse(readFileSync(file, 'utf8'));
const released: Surface = read(releasedFile);
const current: Surface = read(contractFile);
const notes: Record<string, string> = read(notesFile);

/** Instructions for the author of a change. */
const howToNote = (undocumented: readonly string[]) => `
Callers of the last release trip over these (decision 0116). Keep the promise: make what is new optional, add a field beside the old one, answer what
was answered. Or break it, in one commit: API_VERSION in packages/server/src/platform/version.ts becomes today, "npm run gen", and
packages/sdk/breaking-notes.json has what callers do about each, which the changelog of the release takes over:

${JSON.stringify(Object.fromEntries(undocumented.map((change) => [change, '…'])), null, 2)}
`;

describe('the contract', () => {
  const changes = breakingChanges(released, current);

  it('keeps what the last release promised, or a note has what callers do about it', () => {
    const undocumented = changes.filter((change) => (notes[change] ?? '').trim().length < 20);
    expect(undocumented, howToNote(undocumented)).toEqual([]);
    expect(
      Object.keys(notes).filter((change) => !changes.includes(change)),
      'packages/sdk/breaking-notes.json has notes of no change: remove them',
    ).toEqual([]);
  });

  it('has a new version when it keeps less', () => {
    expect(current.info.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const { version } = released.info;
    if (changes.length > 0)
      expect(current.info.version > version, `API_VERSION must be a day after ${version}, then: npm run gen`).toBe(
        true,
      );
    else expect(current.info.version >= version, `API_VERSION must not be before ${version}`).toBe(true);
  });
});

type Schemas = Record<string, object>;

const before = {
  Thing: {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string', maxLength: 80 },
      state: { enum: ['open', 'done'] },
      note: { type: ['string', 'null'] },
      price: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
    },
    additionalProperties: false,
  },
  Event: {
    anyOf: ['a', 'b'].map((type) => ({ type: 'object', required: ['type'], properties: { type: { const: type } } })),
  },
};
type Fields = Record<string, object>;
const thing = (change: (fields: Fields) => Fields, required = before.Thing.required): Schemas => ({
  ...before,
  Thing: { ...before.Thing, required, properties: change(before.Thing.properties as Fields) },
});

/** A contract whose one operation takes a thing, or answers it. */
function contractWith(schemas: Schemas, over: object = {}, path = '/api/things/{id}'): Surface {
  const ref = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const operation = {
    operationId: 'doIt',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: { required: true, content: ref('Thing') },
    responses: { 200: { content: ref('Event') }, 404: {} },
    'x-access': { as: 'user', scope: 'things:write' },
    ...over,
  };
  return { info: { version: '1' }, paths: { [path]: { post: operation } }, components: { schemas } } as Surface;
}
const answering = (schemas: Schemas) =>
  contractWith(schemas, {
    requestBody: undefined,
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
  });

describe('what is sent', () => {
  it.each<[string, Schemas, string[]]>([
    ['a field that is gone', thing(({ note: _, ...rest }) => rest), ['Thing.note: is gone']],
    [
      'a new one that is required',
      thing((all) => ({ ...all, size: { type: 'integer' } }), ['id', 'name', 'size']),
      ['Thing.size: is required'],
    ],
    ['one that becomes required', thing((all) => all, ['id', 'name', 'state']), ['Thing.state: is required']],
    [
      'a value that is gone',
      thing((all) => ({ ...all, state: { enum: ['open'] } })),
      ['Thing.state: no longer takes "done"'],
    ],
    [
      'a lower limit',
      thing((all) => ({ ...all, name: { type: 'string', maxLength: 40 } })),
      ['Thing.name: maxLength is 40'],
    ],
    [
      'another pattern',
      thing((all) => ({ ...all, name: { type: 'string', maxLength: 80, pattern: '^a' } })),
      ['Thing.name: the pattern is ^a'],
    ],
    [
      'null that is refused',
      thing((all) => ({ ...all, note: { type: 'string' } })),
      ['Thing.note: no longer takes null'],
    ],
    [
      'another type',
      thing((all) => ({ ...all, price: { type: 'string' } })),
      ['Thing.price: no longer takes number', 'Thing.price: no longer takes null'],
    ],
    ['a new field that can be left out', thing((all) => ({ ...all, size: { type: 'integer' } })), []],
    ['one that can be left out now', thing((all) => all, ['id']), []],
    [
      'a further value, a higher limit and null',
      thing((all) => ({
        ...all,
        name: { type: ['string', 'null'], maxLength: 90 },
        state: { enum: ['open', 'done', 'lost'] },
      })),
      [],
    ],
  ])('%s', (_, after, expected) => {
    expect(breakingChanges(contractWith(before), contractWith(after))).toEqual(expected);
  });
});

describe('what is answered', () => {
  it.each<[string, Schemas, string[]]>([
    ['a field that is gone', thing(({ note: _, ...rest }) => rest), ['Thing.note: is gone']],
    ['one that can be missing', thing((all) => all, ['id']), ['Thing.name: can be missing']],
    [
      'null that nobody expects',
      thing((all) => ({ ...all, name: { type: ['string', 'null'] } })),
      ['Thing.name: can be null'],
    ],
    ['another type', thing((all) => ({ ...all, name: { type: 'integer' } })), ['Thing.name: can be integer']],
    [
      'another format',
      thing((all) => ({ ...all, id: { type: 'string' } })),
      ['Thing.id: the format was uuid and is any'],
    ],
    [
      'a further field, a further value, and null that no longer comes',
      thing((all) => ({
        ...all,
        size: { type: 'integer' },
        state: { enum: ['open', 'done', 'lost'] },
        note: { type: 'string' },
      })),
      [],
    ],
  ])('%s', (_, after, expected) => {
    expect(breakingChanges(answering(before), answering(after))).toEqual(expected);
  });

  it('of a kind that is new among tagged ones is an addition, and nothing else', () => {
    const kinds = (types: string[], required = ['type']) => ({
      ...before,
      Event: { anyOf: types.map((type) => ({ type: 'object', required, properties: { type: { const: type } } })) },
    });
    expect(breakingChanges(contractWith(before), contractWith(kinds(['a', 'b', 'c'])))).toEqual([]);
    expect(breakingChanges(contractWith(before), contractWith(kinds(['a', 'b'], [])))).toEqual([
      'Event.type: can be missing',
    ]);
  });
});

describe('an operation', () => {
  const changed = (over: object) => breakingChanges(contractWith(before), contractWith(before, over));

  it('that is gone, renamed, moved, narrower or answers otherwise is told of', () => {
    const gone = { ...contractWith(before), paths: {} };
    expect(breakingChanges(contractWith(before), gone)).toEqual(['doIt: is gone']);
    expect(changed({ operationId: 'doThat' })).toEqual(['doIt: is gone']);
    expect(breakingChanges(contractWith(before), contractWith(before, {}, '/api/stuff/{id}'))).toEqual([
      'doIt: was POST /api/things/{id} and is POST /api/stuff/{id}',
    ]);
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const query = (required: boolean) => ({ name: 'dev', in: 'query', required, schema: { type: 'string' } });
    expect(changed({ parameters: [id, query(true)] })).toEqual(['doIt: the query parameter dev is required']);
    expect(changed({ parameters: [] })).toEqual(['doIt: the path parameter id is gone']);
    expect(changed({ requestBody: undefined })).toEqual(['doIt: takes no body']);
    expect(changed({ responses: { 201: {} } })).toEqual(['doIt: no longer answers 200', 'doIt: answers 201']);
    expect(changed({ 'x-access': { as: 'user', scope: 'things:admin' } })).toEqual([
      'doIt: the scope things:write is not enough',
    ]);
    expect(changed({ 'x-access': { as: 'session' } })).toEqual(['doIt: was for user and is for session']);
    expect(changed({ 'x-access': { as: 'user', scope: 'things:write', verified: true } })).toEqual([
      'doIt: needs a verified email address',
    ]);
  });

  it('that takes and refuses more is not', () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const dev = { name: 'dev', in: 'query', schema: { type: 'string' } };
    const { responses } = contractWith(before).paths['/api/things/{id}']?.post ?? {};
    expect(changed({ parameters: [id, dev], responses: { ...responses, 409: {} } })).toEqual([]);
    expect(changed({ 'x-access': { as: 'user', scope: ['things:write', 'things:admin'] } })).toEqual([]);
  });
});
