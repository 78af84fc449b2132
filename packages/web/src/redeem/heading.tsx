import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  title: string;
  intro: ReactNode;
  /** False for the first thing on the page, where a screen reader begins anyway. */
  focus?: boolean;
}

/** The step's title. It takes the focus, so that a screen reader announces the new step. */
export function Heading({ title, intro, focus = true }: Props) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!focus) return;
    ref.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [focus]);
  return (
    <header className="heading">
      <h1 ref={ref} tabIndex={-1}>
        {title}
      </h1>
      <p className="intro">{intro}</p>
    </header>
  );
}
