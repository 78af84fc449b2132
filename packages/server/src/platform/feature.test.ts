import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Base, Features } from './feature.ts';

const base = {} as Base;
const letters = { entities: ['letters'], create: () => ({ api: { letters: ['a', 'b'] } }) };
const count = {
  entities: ['counts'],
  create: (_: Base, needs: { letters: string[] }) => ({ api: { count: needs.letters.length } }),
};

it('gives each feature what those before it offer, and lists their tables', () => {
  const features = new Features().add(letters).add(count);
  const { api, all } = features.create(base);
  expect(api).toEqual({ letters: ['a', 'b'], count: 2 });
  expect(all).toHaveLength(2);
  expect(features.entities).toEqual(['letters', 'counts']);
});

it('lists the sealed columns of all features', () => {
  const sealed = { table: 'letters', column: 'text', purpose: 'letter', lossMeans: 'letters', discard: async () => 0 };
  const features = new Features().add({ ...letters, sealed: [sealed] }).add(count);
  expect(features.sealed).toEqual([sealed]);
});

it('lists the live events of all features', () => {
  const posted = z.object({ type: z.literal('posted'), data: z.object({ letters: z.int() }) });
  const features = new Features().add({ ...letters, events: [posted] }).add(count);
  expect(features.events).toEqual([posted]);
  // @ts-expect-error an event has a type and data
  new Features().add({ ...letters, events: [z.object({ type: z.string() })] });
});

it('does not compile when no earlier feature provides what a feature needs', () => {
  // @ts-expect-error letters come later
  const features = new Features().add(count);
  expect(() => features.create(base)).toThrow();
});

it('refuses two features that offer the same name', () => {
  const features = new Features().add(letters).add({ create: () => ({ api: { letters: [] } }) });
  expect(() => features.create(base)).toThrow('two features offer letters');
});
