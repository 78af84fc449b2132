import { z } from 'zod';
import { Email } from '#platform/text/email-address.ts';

export const VerifyEmailBody = z.strictObject({ token: z.string().min(1).max(200) });
export const ResendVerificationBody = z.strictObject({ email: Email });
