import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { brandColors } from '#lib/brand-colors.ts';

/** A common phone size in CSS pixels. */
const WIDTH = 375;
const LEAST = 667;
const surfaces = ['--canvas', '--surface', '--raised', '--sunken', '--hover'];

interface PreviewFrameProps {
  color: string;
  dark: boolean;
  lang: string;
  /** Describes the preview for screen readers. */
  label: string;
  scale: number;
  children: ReactNode;
}

/** Adds the dashboard's style sheets to a document. Each promise settles when its sheet has loaded or failed. */
function dress(page: Document): Promise<unknown>[] {
  return [...document.querySelectorAll('style, link[rel="stylesheet"]')].map((sheet) => {
    const copy = page.importNode(sheet, true);
    const ready = copy.nodeName === 'LINK' ? arrival(copy) : Promise.resolve();
    page.head.append(copy);
    return ready;
  });
}

function arrival(link: Element): Promise<void> {
  return new Promise((resolve) => {
    for (const end of ['load', 'error']) link.addEventListener(end, () => resolve(), { once: true });
  });
}

/** A phone-wide document of its own, so that it can be dark while the dashboard is light. */
export function PreviewFrame({ color, dark, lang, label, scale, children }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [page, setPage] = useState<Document | null>(null);
  const [height, setHeight] = useState(LEAST);

  const begin = useCallback(() => {
    const fresh = frame.current?.contentDocument;
    if (!fresh || fresh.documentElement.lang) return;
    fresh.documentElement.lang = 'en';
    Promise.all(dress(fresh)).then(() => setPage(fresh));
  }, []);
  // The empty document exists at once; browsers that replace it fire a load event.
  useEffect(begin, [begin]);

  useEffect(() => {
    if (!page) return;
    const root = page.documentElement;
    root.lang = lang;
    root.classList.toggle('dark', dark);
    const tokens = getComputedStyle(root);
    const grounds = surfaces.map((name) => tokens.getPropertyValue(name).trim());
    root.style.setProperty('--brand', color);
    const brand = brandColors(color, grounds);
    root.style.setProperty('--on-brand', brand.onFill);
    root.style.setProperty('--brand-edge', brand.edge);
    root.style.setProperty('--brand-text', brand.text);
  }, [page, color, dark, lang]);

  useEffect(() => {
    if (!page) return;
    const observer = new ResizeObserver(([entry]) =>
      setHeight(Math.max(LEAST, Math.ceil(entry?.contentRect.height ?? 0))),
    );
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [page]);

  return (
    <div
      role="img"
      aria-label={label}
      className="overflow-hidden rounded-lg border border-line-strong"
      style={{ width: WIDTH * scale + 2, height: height * scale + 2 }}
    >
      <iframe
        ref={frame}
        title="Preview"
        aria-hidden
        tabIndex={-1}
        onLoad={begin}
        className="pointer-events-none block max-w-none origin-top-left border-0"
        style={{ width: WIDTH, height, transform: `scale(${scale})` }}
      />
      {page ? createPortal(<div inert>{children}</div>, page.body) : null}
    </div>
  );
}
