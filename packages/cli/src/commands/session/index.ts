import type { Command } from '#define/command.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { register } from './register.ts';
import { resendVerification } from './resend-verification.ts';
import { verifyEmail } from './verify-email.ts';
import { whoami } from './whoami.ts';

/** Signing in and out: commands without a noun. */
export const session: readonly Command[] = [register, login, logout, whoami, verifyEmail, resendVerification];
