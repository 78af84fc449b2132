import { isNewer } from '#lib/navigation/new-build.ts';
import { notify } from '#ui/toast.ts';

const EVERY = 10 * 60_000;
const LEAST = 60_000;

let asked = 0;
let notified = false;

async function check() {
  if (notified || document.visibilityState !== 'visible' || Date.now() - asked < LEAST) return;
  asked = Date.now();
  // a server that is away is no news of a new version; what the person does next reports it
  if (!(await isNewer().catch(() => false)) || notified) return;
  notified = true;
  notify.standing('A new version of the dashboard is here.', { label: 'Reload', onClick: () => location.reload() });
}

/** Looks for a new version whenever the tab comes back into view, and now and then. Returns what ends it. */
export function watchVersion(): () => void {
  const timer = setInterval(check, EVERY);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}
