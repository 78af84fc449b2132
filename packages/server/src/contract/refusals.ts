import { licenseStatuses } from '#features/licensing';

/** The statuses of the licensing API that come with each HTTP status. */
export const refusals: Record<number, string[]> = {};
for (const [name, [status]] of Object.entries(licenseStatuses)) refusals[status] = [...(refusals[status] ?? []), name];
