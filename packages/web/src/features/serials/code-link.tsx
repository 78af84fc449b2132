import { Link } from '@tanstack/react-router';
import { SerialCode } from '#ui/serials/serial-code.tsx';

/** A code that leads to the serial's own page. */
export function CodeLink({ id, code, className }: { id: string; code: string; className?: string }) {
  return (
    <Link
      to="/dashboard/serials/$serialId"
      params={{ serialId: id }}
      className="rounded-[3px] decoration-line-strong underline-offset-4 hover:underline"
    >
      <SerialCode code={code} {...(className ? { className } : {})} />
    </Link>
  );
}
