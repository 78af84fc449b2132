import { z } from 'zod';
import { Id } from '../../../platform/http/schemas.ts';

export const SeatsBody = z
  .strictObject({ max_activations: z.int().min(1).max(1000).nullable().describe('null: as many as the product says.') })
  .meta({ id: 'SetSerialSeats' });

const seats = {
  max_activations: z.int().describe('Seats in force.'),
  seats_used: z.int(),
  remaining: z.int(),
};

export const SerialSeats = z
  .object({ id: Id, own: z.boolean().describe('False: the product’s number holds.'), ...seats })
  .meta({ id: 'SerialSeats' });
export const ReleasedMachine = z
  .object({ ok: z.literal(true), released: z.boolean().describe('False: it had no seat.'), serial_id: Id, ...seats })
  .meta({ id: 'ReleasedMachine' });
