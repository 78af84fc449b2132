/** Why no good answer came, in one word. */
export type EgressError =
  | 'address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'closed'
  | 'malformed'
  | 'redirect'
  | 'status'
  | 'proxy';

export interface EgressAnswer {
  /** Null: none came. */
  status: number | null;
  /** Null: it was a 2xx. */
  error: EgressError | null;
  /** The headers without cookies. Null: none came. */
  headers: Record<string, string> | null;
  /** How the body begins. */
  text: string | null;
  durationMs: number;
}

/** The error of a status; null: it is a 2xx. */
export function errorOf(status: number): EgressError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

const WORDS: Record<string, EgressError> = {
  ERR_ADDRESS: 'address',
  ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  // the parser reports a status below 100 as its own error
  ERR_ASSERTION: 'malformed',
  ERR_PROXY: 'proxy',
};

/** Our word for an error. */
export function wordOf(error: unknown): EgressError {
  const { code = '', name = '', message = '' } = error as { code?: string; name?: string; message?: string };
  if (/is not allowed/.test(message)) return 'address';
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  if (WORDS[code]) return WORDS[code];
  if (name === 'HTTPParserError' || /^HPE_/.test(code)) return 'malformed';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) return 'tls';
  return 'connect';
}
