import { useParams } from '@tanstack/react-router';
import type { ComponentType, JSX } from 'react';

/** A page of what its address names, begun anew when that is another one: for a page of several routes. */
export function ofAddress<Named extends object>(Page: ComponentType<Named>) {
  return function Addressed() {
    const named: object = useParams({ strict: false });
    return <Page key={Object.values(named).join(' ')} {...(named as Named & JSX.IntrinsicAttributes)} />;
  };
}
