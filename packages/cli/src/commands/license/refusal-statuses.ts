import { listLicenseRefusalsStatus } from '@tonerow/sdk/values';

export const REFUSAL_STATUSES = listLicenseRefusalsStatus;
