import type { Serial } from '#lib/types.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { TermsLine } from '#ui/serials/terms-line.tsx';
import { CodeLink } from '../code-link.tsx';

export function AvailableSerial({ serial }: { serial: Serial }) {
  return (
    <>
      <div className="min-w-0">
        <CodeLink id={serial.id} code={serial.code} />
        <TermsLine serial={serial} />
      </div>
      <CopyButton compact text={serial.code} what={serial.code} />
    </>
  );
}
