import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Scope } from '#platform/access/access.ts';

export const roles = ['developer', 'reseller'] as const;
export type Role = (typeof roles)[number];

/**
 * A developer (the tenant) or a reseller. Deleting one blanks the personal columns and keeps the row for the ledger.
 */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    role: p.string().$type<Role>(),
    isAdmin: p.boolean().default(false),
    email: p.text(),
    /** Lower case; null once the account is deleted, so that the address can register again. */
    emailKey: p.text().nullable().unique(),
    /** When the address was verified; null until then. */
    emailVerifiedAt: p.datetime(3).nullable(),
    passwordHash: p.text().nullable(),
    firstName: p.text(),
    lastName: p.text(),
    companyName: p.text().nullable(),
    websiteUrl: p.text().nullable(),
    supportEmail: p.text().nullable(),
    supportUrl: p.text().nullable(),
    businessAddress: p.text().nullable(),
    taxId: p.text().nullable(),
    brandColor: p.text().default('#000000'),
    logoUrl: p.text().nullable(),
    /** Whether the redemption page is dark. */
    darkMode: p.boolean().default(false),
    /** Whether customers get an email when they redeem a serial. */
    sendCustomerEmails: p.boolean().default(true),
    timeZone: p.text().default('UTC'),
    plan: p.text().default('free'),
    notifyRedemptions: p.boolean().default(true),
    /** One email per redemption, or one a day. */
    redemptionEmails: p.string().$type<'each' | 'daily'>().default('daily'),
    /** The end of the period that daily emails have covered. */
    digestedUntil: p.datetime(3).nullable(),
    notifyLowSerials: p.boolean().default(true),
    notifyWebhookFail: p.boolean().default(true),
    notifyAnnouncements: p.boolean().default(true),
    notifyInquiries: p.boolean().default(true),
    notifyDeals: p.boolean().default(true),
    notifyShops: p.boolean().default(true),
    /** A product with fewer available serials than this is low. */
    lowSerialsThreshold: p.integer().default(10),
    /** Nobody is reminded of a statement with less than this to pay. */
    reminderCents: p.integer().default(0),
    /** When the checklist for new accounts was put away. */
    firstStepsHiddenAt: p.datetime(3).nullable(),
    /** The TOTP secret, sealed. Waits for its first code while `twoFactorSince` is null. */
    twoFactorSecret: p.blob().nullable(),
    twoFactorSince: p.datetime(3).nullable(),
    /** The time step of the last accepted code: none is accepted twice. */
    twoFactorStep: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
  },
  checks: [
    { name: 'users_role_check', expression: "role in ('developer', 'reseller')" },
    { name: 'users_low_serials_check', expression: 'low_serials_threshold >= 0' },
    { name: 'users_reminder_check', expression: 'reminder_cents >= 0' },
    { name: 'users_redemption_emails_check', expression: "redemption_emails in ('each', 'daily')" },
  ],
});
export type Account = InferEntity<typeof Account>;

/** A signed-in browser or terminal. The JWT names it; without the row the JWT is worth nothing. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').index().deleteRule('cascade'),
    userAgent: p.text().nullable(),
    /** The name that its machine gives itself, where a sign-in code signed it in. */
    machine: p.text().nullable(),
    ip: p.text().nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export type Session = InferEntity<typeof Session>;

/** A terminal that waits until its code is confirmed in a browser. Gone once it has its session, and with the session that answered. */
export const DeviceSignIn = defineEntity({
  name: 'DeviceSignIn',
  tableName: 'device_sign_ins',
  properties: {
    id: p.uuid().primary(),
    /** SHA-256 of the terminal's secret. */
    deviceCodeHash: p.blob().unique(),
    /** HMAC of what people type: too short for a hash without a key. */
    userCodeHash: p.blob().unique(),
    machine: p.text().nullable(),
    userAgent: p.text().nullable(),
    ip: p.text(),
    country: p.text().nullable(),
    state: p.string().$type<'pending' | 'approved' | 'denied'>().default('pending'),
    /** The session that answered. */
    sessionId: () => p.manyToOne(Session).mapToPk().fieldName('session_id').nullable().index().deleteRule('cascade'),
    /** Seconds that the terminal has to wait between two polls. */
    intervalSeconds: p.integer(),
    polledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).index(),
  },
  checks: [
    { name: 'device_sign_ins_state_check', expression: "state in ('pending', 'approved', 'denied')" },
    { name: 'device_sign_ins_answered_check', expression: "(state = 'pending') = (session_id is null)" },
  ],
});
export type DeviceSignIn = InferEntity<typeof DeviceSignIn>;

/** A device or an address that signed in to the account: strangers' failed sign-ins do not count against it. */
export const KnownPlace = defineEntity({
  name: 'KnownPlace',
  tableName: 'known_places',
  properties: {
    accountId: () => p.manyToOne(Account).mapToPk().primary().fieldName('user_id').deleteRule('cascade'),
    /** SHA-256 of the device's token, or of the network address. */
    hash: p.blob().primary(),
    kind: p.string().$type<'device' | 'address'>(),
    lastSeenAt: p.datetime(3),
  },
  checks: [{ name: 'known_places_kind_check', expression: "kind in ('device', 'address')" }],
});
export type KnownPlace = InferEntity<typeof KnownPlace>;

/** A trust: jobs of a CI service that get an access token for some minutes, for the identity token of that service. */
export const OidcTrust = defineEntity({
  name: 'OidcTrust',
  tableName: 'oidc_trusts',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').index().deleteRule('cascade'),
    name: p.text(),
    issuer: p.text(),
    /** GitHub's `repository_id` or GitLab's `project_id`: names can be given to somebody else. */
    repositoryId: p.text(),
    branch: p.text().nullable(),
    environment: p.text().nullable(),
    scopes: p.array().columnType('text[]').$type<Scope[]>(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
  },
  checks: [{ name: 'oidc_trusts_where_check', expression: 'branch is not null or environment is not null' }],
});
export type OidcTrust = InferEntity<typeof OidcTrust>;

/** An identity token that was exchanged: none is exchanged twice. Kept until it has expired. */
export const SpentIdentityToken = defineEntity({
  name: 'SpentIdentityToken',
  tableName: 'spent_identity_tokens',
  properties: {
    /** SHA-256 of its issuer and its id. */
    hash: p.blob().primary(),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'spent_identity_tokens_expires_at_index', properties: ['expiresAt'] }],
});
export type SpentIdentityToken = InferEntity<typeof SpentIdentityToken>;

/** A personal, scoped credential for scripts. Only its SHA-256 is kept. */
export const AccessToken = defineEntity({
  name: 'AccessToken',
  tableName: 'access_tokens',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').index().deleteRule('cascade'),
    name: p.text(),
    scopes: p.array().columnType('text[]').$type<Scope[]>(),
    tokenHash: p.blob().unique(),
    /** The last four characters, to recognize a token. */
    hint: p.text(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    /** The trust that it was issued by; null: a person made it. */
    trustId: () => p.manyToOne(OidcTrust).mapToPk().nullable().fieldName('trust_id').index().deleteRule('cascade'),
  },
});
export type AccessToken = InferEntity<typeof AccessToken>;

export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').index().deleteRule('cascade'),
    tokenHash: p.blob().unique(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
});
export type PasswordReset = InferEntity<typeof PasswordReset>;

/** A link that proves access to the account's email. Works any number of times until it expires. */
export const EmailVerification = defineEntity({
  name: 'EmailVerification',
  tableName: 'email_verifications',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').index().deleteRule('cascade'),
    tokenHash: p.blob().unique(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
export type EmailVerification = InferEntity<typeof EmailVerification>;

/** A code that opens an account when the authenticator is lost. Each works once; only its SHA-256 is kept. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  properties: {
    id: p.uuid().primary(),
    accountId: () => p.manyToOne(Account).mapToPk().fieldName('user_id').deleteRule('cascade'),
    codeHash: p.blob(),
    usedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'recovery_codes_user_code_unique', properties: ['accountId', 'codeHash'] }],
});
export type RecoveryCode = InferEntity<typeof RecoveryCode>;
