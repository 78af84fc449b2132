/** The device that a request comes from, as far as the request shows. */
export interface Device {
  userAgent: string | null;
  ip: string;
}

const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];
const programs: [RegExp, string][] = [
  [/tonerow-cli/i, 'Tonerow CLI'],
  [/tonerow-sdk/i, 'Tonerow SDK'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
  [/node|undici/i, 'Node.js'],
];

/** A readable name of the device behind a user agent: "Firefox on Windows". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const program = programs.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (program && system) return `${program} on ${system}`;
  return program ?? system ?? 'Unknown device';
}

export function deviceOf(request: { headers: { 'user-agent'?: string | undefined }; ip: string }): Device {
  return { userAgent: request.headers['user-agent'] ?? null, ip: request.ip };
}
