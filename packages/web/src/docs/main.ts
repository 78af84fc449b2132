import scalarUrl from 'virtual:scalar-url';
import '../styles/fonts.css';
import './docs.css';
import { byNeed } from './by-need.ts';

const waiting = document.querySelector('.waiting');
const script = document.createElement('script');
script.src = scalarUrl;
script.onload = () => {
  waiting?.remove();
  // everything comes from this server, and nothing is sent anywhere else
  window.Scalar.createApiReference('#reference', {
    url: '/api/openapi.json',
    servers: [{ url: location.origin }],
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    persistAuth: false,
    operationsSorter: byNeed,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
};
script.onerror = () => {
  if (waiting) waiting.textContent = 'The API reference could not be loaded. Reload the page to try again.';
};
document.head.append(script);
