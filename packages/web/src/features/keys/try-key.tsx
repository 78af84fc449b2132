import { TryIt } from '#ui/try-it.tsx';
import type { Setup } from './use-setup.ts';

const NO_SERIAL = 'AAAA-AAAA-AAAA-AAAA';

/** The key comes by standard input: other users of a machine can read the arguments of a command. */
const lineOf = ({ TONEROW_URL, PLUGIN_KEY = '{{PLUGIN_KEY}}' }: Setup['values']) =>
  `curl -sS -H @- -d license_key=${NO_SERIAL} -d machine_id=try-it ${TONEROW_URL}/api/license/v1/validate <<<'Authorization: Bearer ${PLUGIN_KEY}'`;

/** One call with the chosen key that changes nothing. */
export function TryKey({ values }: Pick<Setup, 'values'>) {
  return (
    <TryIt line={lineOf(values)}>
      {values.PLUGIN_KEY ? '' : 'Fill in the key above first. '}
      <code className="font-mono">not_found</code> means that the key works: there is no such serial. With one of yours
      instead, it is the state of that license.
    </TryIt>
  );
}
