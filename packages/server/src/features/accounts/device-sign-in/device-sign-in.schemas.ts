import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';
import { isUserCode, plainUserCode } from '#platform/text/user-code.ts';
import { AccountView } from '../sign-in/sign-in.schemas.ts';

/** RFC 8628's fields, and the machine's name. */
export const StartDeviceSignInBody = z
  .strictObject({
    client_id: z.string().max(200).optional().describe('Any text: clients need not be registered here.'),
    machine: z
      .string()
      .max(1000)
      .optional()
      .describe('The name of the machine, shown to whoever confirms the sign-in, and in the list of sessions.'),
  })
  .meta({ id: 'StartDeviceSignIn' });

export const DeviceSignInStarted = z
  .object({
    device_code: z.string().describe('The terminal’s own secret, with which it asks whether it may sign in.'),
    user_code: z.string().describe('What the person enters, or compares: eight characters, such as `BCDF-GHJK`.'),
    verification_uri: z.string().describe('The address of the page where the code is entered.'),
    verification_uri_complete: z.string().describe('The same with the code in it.'),
    expires_in: z.int().describe('For how many seconds both codes work.'),
    interval: z.int().describe('How many seconds to wait between two calls of `finishDeviceSignIn`.'),
  })
  .meta({ id: 'DeviceSignInStarted' });

export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export const FinishDeviceSignInBody = z
  .strictObject({
    grant_type: z.string().max(200).describe(`Always \`${DEVICE_CODE_GRANT}\`.`),
    device_code: z.string().max(200).describe('From `startDeviceSignIn`.'),
    client_id: z.string().max(200).optional().describe('Any text: clients need not be registered here.'),
  })
  .meta({ id: 'FinishDeviceSignIn' });

export const DeviceSignInFinished = z
  .object({
    access_token: z.string().describe('The session’s token: what `login` answers as `token`.'),
    token_type: z.literal('Bearer').describe('How the token is sent: `Authorization: Bearer …`.'),
    expires_in: z.int().describe('After how many seconds without a request the session ends.'),
    user: AccountView,
  })
  .meta({ id: 'DeviceSignInFinished' });

export const UserCodeBody = z
  .strictObject({
    user_code: z
      .string()
      .max(100)
      .overwrite(plainUserCode)
      .refine(isUserCode, 'Enter the eight characters that the terminal shows, such as BCDF-GHJK.')
      .describe('What the terminal shows, in any case, with or without its dash.'),
  })
  .meta({ id: 'UserCode' });

export const DeviceSignInView = z
  .object({
    user_code: z.string().describe('The code that the terminal shows.'),
    machine: z.string().nullable().describe('What the machine calls itself; null: it gave no name.'),
    device: z.string(),
    ip: z.string(),
    country: z.string().nullable().describe('The country of that address, ISO 3166-1; null: unknown.'),
    same_network: z.boolean().describe('Whether the terminal’s address is in the network of whoever asks here.'),
    state: z.enum(['pending', 'approved', 'denied']).describe('What was answered.'),
    created_at: Time,
    expires_at: Time,
    expires_in: z.int().describe('In how many seconds that is, for clocks that are wrong.'),
  })
  .meta({ id: 'DeviceSignIn' });
