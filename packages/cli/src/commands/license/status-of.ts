export const MACHINE = 'doctor-machine-1';

/** The status of an answer or of a refusal. */
export async function statusOf(call: Promise<{ status: string }>): Promise<string> {
  return call.then(
    (answer) => answer.status,
    (error: { problem?: { status?: unknown } }) => {
      if (typeof error.problem?.status !== 'string') throw error;
      return error.problem.status;
    },
  );
}
