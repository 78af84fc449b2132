import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/states.tsx';
import type { Collision } from './merge.ts';

interface CollisionNoticeProps {
  collisions: Collision[];
  /** Adopts the value that the other person saved for one field. */
  onTake: (collision: Collision) => void;
}

/** After the newer version was loaded: the fields that two people changed, and a choice for each. */
export function CollisionNotice({ collisions, onTake }: CollisionNoticeProps) {
  if (collisions.length === 0) {
    return <Notice tone="good">The newer version is loaded, and what you typed is kept. Review it, then save.</Notice>;
  }
  return (
    <Notice tone="warn">
      <p>The newer version is loaded. You both changed these fields; yours are kept until you choose otherwise.</p>
      <ul className="mt-2 flex flex-col gap-2 text-text">
        {collisions.map((collision) => (
          <li key={collision.field} className="flex items-center justify-between gap-3">
            <span className="line-clamp-3 min-w-0">
              <strong className="font-semibold">{collision.label}</strong>, saved by the other person:{' '}
              {collision.stored}
            </span>
            <Button size="sm" onClick={() => onTake(collision)}>
              Use theirs<span className="sr-only"> for {collision.label}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
