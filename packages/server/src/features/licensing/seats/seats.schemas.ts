import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';

export const SeatsBody = z
  .strictObject({
    max_activations: z.int().min(1).max(1000).nullable().describe('null: use the product’s number of seats.'),
  })
  .meta({ id: 'SetSerialSeats' });

const seats = {
  max_activations: z.int().describe('The number of seats that applies.'),
  seats_used: z.int(),
  remaining: z.int(),
};

export const SerialSeats = z
  .object({ id: Id, own: z.boolean().describe('False: the product’s number of seats applies.'), ...seats })
  .meta({ id: 'SerialSeats' });
export const ReleasedMachine = z
  .object({
    ok: z.literal(true),
    released: z.boolean().describe('False: the machine held no seat.'),
    serial_id: Id,
    ...seats,
  })
  .meta({ id: 'ReleasedMachine' });

export const OwnMachineBody = z
  .strictObject({
    token: z.string().min(1).max(2000).describe('From the link in the email; valid for 30 minutes.'),
    machine_id: Id.describe('The `id` of the machine.'),
  })
  .meta({ id: 'ReleaseMachine' });
