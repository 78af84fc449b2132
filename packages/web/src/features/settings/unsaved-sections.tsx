import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { getToken } from '#lib/session/session.ts';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';

const Sections = createContext<Set<string> | null>(null);

/** One question for the whole page, however many sections have changes. */
export function UnsavedSections({ children }: { children: ReactNode }) {
  const unsaved = useRef(new Set<string>());
  return (
    <Sections.Provider value={unsaved.current}>
      {children}
      {/* After logging out or deleting the account, there is nothing to come back to. */}
      <UnsavedGuard dirty={() => getToken() !== null && unsaved.current.size > 0} />
    </Sections.Provider>
  );
}

export function useUnsavedSection(dirty: boolean) {
  const sections = useContext(Sections);
  const id = useId();
  useEffect(() => {
    if (dirty) sections?.add(id);
    else sections?.delete(id);
    return () => {
      sections?.delete(id);
    };
  }, [dirty, id, sections]);
}
