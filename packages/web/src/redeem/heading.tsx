import { useEffect, useRef } from 'react';

/** The step's title. It takes the focus, so that a screen reader says where the page has gone. */
export function Heading({ title, intro, focus = true }: { title: string; intro: string; focus?: boolean }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) ref.current?.focus();
  }, [focus]);
  return (
    <header className="heading">
      <h1 ref={ref} tabIndex={-1}>
        {title}
      </h1>
      <p>{intro}</p>
    </header>
  );
}
