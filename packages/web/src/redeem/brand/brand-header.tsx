import { useState } from 'react';
import type { Brand } from './brand.ts';

/** The developer's logo, or their name when there is no logo or it does not load. */
export function BrandHeader({ brand: { look }, width }: { brand: Brand; width: 'narrow' | 'wide' }) {
  const [broken, setBroken] = useState<string>();
  // without a brand, no space is reserved
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
