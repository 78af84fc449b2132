import { z } from 'zod';

export const DeviceToken = z
  .string()
  .max(200)
  .describe('From an earlier sign-in on this device. It grants no access by itself.');

export const NewDeviceToken = z.string().describe('Send it with the next sign-in, so that this device is recognized.');
