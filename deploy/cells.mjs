// A proxy for several complete installations, called cells, behind one name. Node alone; see "Cells" in docs/scaling.md.

import { createServer, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { pipeline } from 'node:stream';

const USAGE = `
  NAME=licenses.example.com PORT=8080 \\
  CELLS="https://eu1.example.com=http://10.0.0.1:4000 https://us1.example.com=http://10.0.1.1:4000" node deploy/cells.mjs

NAME   the shared name, or several with spaces between: no cell is asked whose they are
CELLS  the cells. Left of each "=" is where people reach one, its TONEROW_PUBLIC_URL; right of it, where this proxy does. The last
       one is where people begin who are nobody's yet.
PORT   8080 if it is not set

TLS is ended before this proxy. Each cell trusts both, by TONEROW_TRUST_PROXY. GET /livez on the shared name is the proxy's own.
After SIGTERM, calls that are at work have DRAIN_SECONDS to end, 10 if it is not set.
`;

const SECOND = 1000;
const FOUND_FOR = 3600 * SECOND;
const NOT_FOUND_FOR = 10 * SECOND;
/** The longest wait for a cell that is asked whether it has something. */
const PATIENCE = 3 * SECOND;
/** The longest wait for the first word of an answer. A plugin's is late after six seconds. */
const SILENCE = 120 * SECOND;
const SILENCE_TO_PLUGINS = 10 * SECOND;
const TRY_AGAIN = { 'retry-after': '2' };

if (process.argv.length > 2) stop('');
const words = (text = '') => text.split(/\s+/).filter(Boolean);
const names = new Set(words(process.env.NAME).map(hostOf));
const cells = words(process.env.CELLS).map((cell) => {
  const [outside, inside] = cell.split('=').map((address) => (URL.canParse(address) ? new URL(address) : undefined));
  if (!outside || !inside) stop(`CELLS: "${cell}" is not ADDRESS=ADDRESS.`);
  return { outside, inside };
});
const newest = cells.at(-1);
if (!newest) stop('CELLS: name at least one.');
const port = Number(process.env.PORT ?? 8080);
if (!(port >= 0 && port < 65_536)) stop(`PORT: "${process.env.PORT}" is no port.`);

function stop(message) {
  process.stderr.write(`${message}\n${USAGE}`);
  process.exit(process.argv.includes('--help') ? 0 : 64);
}

/** A host as it is compared: in small letters, without the port that a browser leaves out. */
function hostOf(text = '') {
  return text
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.$/, '');
}

/** Answers that are remembered for a while, the oldest forgotten first. */
function memory(most, lifetime) {
  const kept = new Map();
  return {
    /** @param late also what should have been forgotten by now. */
    get(question, late = false) {
      const entry = kept.get(question);
      return entry && (late || entry.until > Date.now()) ? entry : undefined;
    },
    set(question, cell) {
      kept.delete(question);
      if (kept.size >= most) kept.delete(kept.keys().next().value);
      kept.set(question, { cell, until: Date.now() + lifetime });
    },
  };
}
const found = memory(100_000, FOUND_FOR);
// invented names forget no one who was found
const nobodys = memory(20_000, NOT_FOUND_FOR);

class Away extends Error {}
class NotMine extends Error {}

/**
 * The cell that answers a question with 200, as soon as it does; null when no cell has it. A cell counts the questions for whoever
 * caused them, so that nobody can use up what others may ask.
 * @throws Away when none does, and one of them does not answer.
 */
async function find(path, incoming, headers = {}) {
  const question = `${path} ${headers.authorization ?? ''}`;
  const before = found.get(question) ?? nobodys.get(question);
  if (before) return before.cell;
  const sent = { ...headers, 'x-forwarded-for': wayOf(incoming) };
  const asked = cells.map(async (cell) => {
    const answer = await fetch(new URL(path, cell.inside), { headers: sent, signal: AbortSignal.timeout(PATIENCE) });
    await answer.body?.cancel();
    if (answer.ok) return cell;
    throw answer.status >= 500 || answer.status === 429 ? new Away() : new NotMine();
  });
  try {
    const cell = await Promise.any(asked);
    found.set(question, cell);
    return cell;
  } catch ({ errors }) {
    if (errors.every((error) => error instanceof NotMine)) nobodys.set(question, null);
    // what nobody had is nobody's still, as far as is known
    else if (!nobodys.get(question, true)) throw new Away();
    return null;
  }
}

/** Who sent a request, and by which proxies it came. */
const wayOf = ({ headers, socket }) =>
  [headers['x-forwarded-for'], socket.remoteAddress?.replace(/^::ffff:/, '')].filter(Boolean).join(', ');

/** Whose a request is, by what it carries; nobody's when it carries nothing. `cell` is null when no cell has it. */
async function ownerOf(incoming, host, url) {
  const { authorization } = incoming.headers;
  if (/^bearer tnr_plg_/i.test(authorization ?? ''))
    return { by: 'key', cell: await find('/api/license/v1/time', incoming, { authorization }) };
  const name = host.replace(/:\d+$/, '');
  if (!names.has(host) && !names.has(name)) {
    const cell = await find(`/api/branding/domain?host=${encodeURIComponent(name)}`, incoming);
    if (cell) return { by: 'host', cell };
  }
  const dev = url.searchParams.get('dev');
  if (!dev) return undefined;
  return { by: 'dev', cell: await find(`/api/developer/branding?dev=${encodeURIComponent(dev)}`, incoming) };
}

const isPage = ({ method }, { pathname }) => /^(?:GET|HEAD)$/.test(method) && !pathname.startsWith('/api/');

const isPlugins = ({ pathname }) => pathname.startsWith('/api/license/');

/** In the form of whoever asks: a page, a plugin's answer, or the API's problem. */
function refuse(incoming, url, response, status, code, message, headers = {}) {
  let [type, body] = [
    'application/problem+json',
    { type: 'about:blank', title: message, status, code, detail: message },
  ];
  if (url && isPlugins(url)) [type, body] = ['application/json', { ok: false, status: code, error: message }];
  const page = url && isPage(incoming, url);
  response.writeHead(status, { 'content-type': page ? 'text/html; charset=utf-8' : type, ...headers });
  response.end(page ? pageOf(message) : JSON.stringify(body));
}

const pageOf = (message) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${message}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1.5rem }</style>
<h1>${message}</h1>`;

/** The path and query of a request, or null when there is none: a client may write anything in its first line. */
function targetOf(text = '') {
  return URL.parse(text.startsWith('/') ? `http://cells${text}` : text);
}

async function answer(incoming, response) {
  const url = targetOf(incoming.url);
  const refused = (...how) => refuse(incoming, url, response, ...how);
  if (!url) return refused(400, 'invalid_request', 'This request has no path.');
  const host = hostOf(incoming.headers.host);
  const named = cells.find(({ outside }) => outside.host === host);
  if (named) return forward(named, incoming, response, url);
  if (url.pathname === '/livez') return response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
  let owner;
  try {
    owner = await ownerOf(incoming, host, url);
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    return refused(503, 'unavailable', 'Try again in a moment.', TRY_AGAIN);
  }
  // the refusal of a cell has the form that a plugin expects
  if (owner?.by === 'key' || (!owner && isPlugins(url))) return forward(owner?.cell ?? newest, incoming, response, url);
  if (owner?.cell === null) return refused(404, 'not_found', 'Nobody here has this.');
  // the cell's own host serves the page and all that the page calls
  if (isPage(incoming, url) && owner?.by !== 'host') {
    const { outside } = owner?.cell ?? newest;
    const location = `${outside.origin}${url.pathname}${url.search}`;
    response.writeHead(307, { location, 'cache-control': 'no-store' }).end();
  } else if (owner) forward(owner.cell, incoming, response, url);
  else {
    const where = `Use the address of the link that you were given, or the one at which you sign in, such as ${newest.outside.origin}.`;
    refused(421, 'misdirected', where);
  }
}

function forward({ inside }, incoming, response, url) {
  const { method, headers } = incoming;
  const onward = (inside.protocol === 'https:' ? secure : plain)(inside, {
    method,
    path: incoming.url.startsWith('/') ? incoming.url : `${url.pathname}${url.search}`,
    headers: { ...headers, 'x-forwarded-for': wayOf(incoming) },
    ...(inside.protocol === 'https:' ? { servername: inside.hostname } : {}),
  });
  let silence;
  onward.on('finish', () => {
    silence = setTimeout(() => onward.destroy(new Error('silent')), isPlugins(url) ? SILENCE_TO_PLUGINS : SILENCE);
  });
  onward.on('response', (answered) => {
    clearTimeout(silence);
    response.writeHead(answered.statusCode, answered.headers);
    pipeline(answered, response, () => undefined);
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else refuse(incoming, url, response, 503, 'unavailable', 'Try again in a moment.', TRY_AGAIN);
  });
  response.on('close', () => {
    clearTimeout(silence);
    onward.destroy();
  });
  pipeline(incoming, onward, () => undefined);
}

const server = createServer((incoming, response) => {
  answer(incoming, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    response.destroy();
  });
});
server.on('error', ({ message }) => stop(message));
server.listen(port, () => process.stdout.write(`listening on ${server.address().port}\n`));
process.on('SIGTERM', () => {
  server.close();
  // live streams have no end, and connections that have sent nothing count as busy
  setTimeout(() => server.closeAllConnections(), Number(process.env.DRAIN_SECONDS ?? 10) * SECOND).unref();
});
