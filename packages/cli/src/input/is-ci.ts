import type { Io } from '#io.ts';

/** Whether it runs in a CI job. `CI=false` and `CI=0` are how one switches that off. */
export const isCi = ({ CI }: Io['env']): boolean => !['', '0', 'false'].includes((CI ?? '').toLowerCase());
