import { useState } from 'react';
import type { Brand } from './brand.ts';

/** The maker's logo, or their name where there is none or it does not load. */
export function BrandHeader({ brand: { look }, width }: { brand: Brand; width: 'narrow' | 'wide' }) {
  const [broken, setBroken] = useState<string>();
  // nothing is known, so nothing is kept free
  if (!look || look.closed) return <header className="brand none" />;
  const name = look.company_name ?? '';
  const logo = look.logo_url && look.logo_url !== broken ? look.logo_url : null;
  return (
    <header className={`brand ${width}`}>
      {logo ? (
        <img className="logo" src={logo} alt={name} onError={() => setBroken(logo)} />
      ) : (
        <bdi className="company">{name}</bdi>
      )}
    </header>
  );
}
