import '../styles/fonts.css';
import '../styles/tokens.css';
import './redeem.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RedeemPage } from './redeem-page.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <RedeemPage search={new URLSearchParams(window.location.search)} />
  </StrictMode>,
);
