import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { FirstSteps } from '../types.ts';
import { keys } from './keys.ts';

export const meQuery = queryOptions({
  queryKey: keys.me.all,
  queryFn: ({ signal }) => api.getMe(undefined, { signal }),
  staleTime: 60_000,
});

export const planQuery = queryOptions({
  queryKey: keys.me.plan,
  queryFn: ({ signal }) => api.getMyPlan(undefined, { signal }),
  staleTime: 60_000,
});

export const settingsQuery = queryOptions({
  queryKey: keys.settings,
  queryFn: ({ signal }) => api.getAccountSettings(undefined, { signal }),
});

/** This month's redemptions, refreshed by live events. */
export const usageQuery = queryOptions({
  queryKey: keys.me.usage,
  queryFn: ({ signal }) => api.getMyUsage(undefined, { signal }),
  staleTime: 60_000,
});

export const plansQuery = queryOptions({
  queryKey: keys.plans,
  queryFn: ({ signal }) => api.listPlans(undefined, { signal }),
  staleTime: 600_000,
});

/** The checklist of a new account. */
export const firstStepsQuery = queryOptions({
  queryKey: keys.firstSteps,
  queryFn: ({ signal }) => api.getFirstSteps(undefined, { signal }),
  // steps are taken on other screens, and in the terminal
  staleTime: 0,
});

/** The steps while the checklist is of use; null: all are done, it was put away, or it is not known. */
export function openSteps(progress: FirstSteps | undefined): FirstSteps['steps'] | null {
  if (!progress || progress.hidden) return null;
  return progress.steps.every((each) => each.done) ? null : progress.steps;
}

/** What changes with every sale: asked each time that the question opens. */
export const deletionQuery = queryOptions({
  queryKey: keys.deletion,
  queryFn: ({ signal }) => api.getAccountDeletion(undefined, { signal }),
  staleTime: 0,
  gcTime: 0,
});
