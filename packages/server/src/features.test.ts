import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventOf } from '#platform/events.ts';
import { LiveEvent } from './features/live/live.schemas.ts';
import { features } from './features.ts';

const typesOf = (schemas: readonly { shape: { type: z.ZodLiteral<string> } }[]) =>
  schemas.map(({ shape }) => shape.type.value).sort();

describe('the live events', () => {
  it('are those that features declare, and the stream sends all of them', () => {
    expect(typesOf(LiveEvent.options)).toEqual([...typesOf(features.events), 'resync'].sort());
  });

  it('have a type of their own each', () => {
    const twice = z.object({ type: z.literal('payout'), data: z.object({}) });
    expect(() => eventOf(features.events).safeParse({ type: 'payout', data: {} })).not.toThrow();
    expect(() => eventOf([...features.events, twice]).safeParse({ type: 'payout', data: {} })).toThrow('payout');
  });
});
