import { Fragment } from 'react';

interface PartsProps {
  /** Parts that are false are left out. */
  of: (string | false | null | undefined)[];
  separator?: ',' | ' ·';
}

/** Short parts of a line, such as counts: it breaks between them, never between a number and what it counts. */
export function Parts({ of, separator = ' ·' }: PartsProps) {
  const parts = of.filter((part) => Boolean(part));
  return parts.map((part, index) => (
    <Fragment key={index}>
      <span className="whitespace-nowrap">
        {part}
        {index < parts.length - 1 ? separator : null}
      </span>
      {index < parts.length - 1 ? ' ' : null}
    </Fragment>
  ));
}
