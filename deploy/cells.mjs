// A proxy for several complete installations, called cells, behind one name. Node alone; see "Cells" in docs/scaling.md.
//
//   CELLS="https://eu1.example.com=http://10.0.0.1:4000 https://us1.example.com=http://10.0.1.1:4000" PORT=8080 node deploy/cells.mjs
//
// Left of each "=" is where people reach a cell, its TONEROW_PUBLIC_URL; right of it, where this proxy does. The last one is where
// people begin who are nobody's yet. Each cell trusts this proxy by TONEROW_TRUST_PROXY. TLS is ended before it. After SIGTERM, calls
// that are at work have DRAIN_SECONDS to end, 10 if it is not set.
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

const MOST = 100_000;
const FOUND_FOR = 3_600_000;
const NOT_FOUND_FOR = 10_000;
const PATIENCE = 3000;

const cells = (process.env.CELLS ?? '')
  .split(/\s+/)
  .filter(Boolean)
  .map((cell) => {
    const [outside, inside] = cell.split('=');
    return { outside: new URL(outside), inside: new URL(inside) };
  });
const newest = cells.at(-1);
if (!newest) throw new Error('CELLS: name at least one.');

/** What was asked about, with the cell that has it, or null when none has. */
const known = new Map();

/** The cell that answers a question with 200. Each is asked once in a while. @throws when none does, and one of them is away. */
async function find(path, headers = {}) {
  const question = `${path} ${headers.authorization ?? ''}`;
  const before = known.get(question);
  if (before && before.until > Date.now()) return before.cell;
  const asked = cells.map(async (cell) => {
    const answer = await fetch(new URL(path, cell.inside), { headers, signal: AbortSignal.timeout(PATIENCE) });
    await answer.body?.cancel();
    if (answer.status >= 500 || answer.status === 429) throw new Error(`${cell.inside} answered ${answer.status}`);
    return answer.ok ? cell : null;
  });
  const answers = await Promise.allSettled(asked);
  const cell = answers.find(({ value }) => value)?.value ?? null;
  const failed = answers.find(({ status }) => status === 'rejected');
  if (!cell && failed) throw failed.reason;
  if (known.size >= MOST) known.delete(known.keys().next().value);
  known.set(question, { cell, until: Date.now() + (cell ? FOUND_FOR : NOT_FOUND_FOR) });
  return cell;
}

/** Whose a request is by what it carries, and by what; nobody's when it carries nothing. `cell` is null when no cell has it. */
async function ownerOf({ headers }, url) {
  const named = cells.find(({ outside }) => outside.host === headers.host);
  if (named) return { by: 'host', cell: named };
  const { authorization } = headers;
  if (/^bearer tnr_plg_/i.test(authorization ?? ''))
    return { by: 'key', cell: await find('/api/license/v1/time', { authorization }) };
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const domain = await find(`/api/branding/domain?host=${encodeURIComponent(host)}`);
  if (domain) return { by: 'host', cell: domain };
  const dev = url.searchParams.get('dev');
  return dev ? { by: 'dev', cell: await find(`/api/developer/branding?dev=${encodeURIComponent(dev)}`) } : undefined;
}

function refuse(response, status, code, message, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ type: 'about:blank', title: message, status, code, detail: message }));
}

const isPage = ({ method, headers }) => method === 'GET' && /text\/html/.test(headers.accept ?? '');

async function answer(incoming, response) {
  const url = new URL(incoming.url ?? '/', 'http://cells');
  let owner;
  try {
    owner = await ownerOf(incoming, url);
  } catch {
    return refuse(response, 503, 'unavailable', 'Try again in a moment.', { 'retry-after': '2' });
  }
  if (owner?.cell === null) return refuse(response, 404, 'not_found', 'Nobody here has this.');
  // the cell's own host serves the page and all that the page calls
  if (isPage(incoming) && owner?.by !== 'host') {
    const { outside } = owner?.cell ?? newest;
    response.writeHead(307, { location: new URL(incoming.url, outside).href, 'cache-control': 'no-store' });
    response.end();
  } else if (owner) forward(owner.cell, incoming, response);
  else refuse(response, 421, 'misdirected', `Use the address at which you sign in, such as ${newest.outside.origin}.`);
}

function forward({ inside }, incoming, response) {
  const { method, url: path, headers, socket } = incoming;
  const from = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
  const onward = request(
    {
      hostname: inside.hostname,
      port: inside.port || 80,
      method,
      path,
      headers: { ...headers, 'x-forwarded-for': from },
    },
    (answered) => {
      response.writeHead(answered.statusCode, answered.headers);
      pipeline(answered, response, () => undefined);
    },
  );
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else refuse(response, 503, 'unavailable', 'Try again in a moment.', { 'retry-after': '2' });
  });
  response.on('close', () => onward.destroy());
  pipeline(incoming, onward, () => undefined);
}

const server = createServer(answer);
server.listen(Number(process.env.PORT ?? 8080), () => process.stdout.write(`listening on ${server.address().port}\n`));
process.on('SIGTERM', () => {
  server.close();
  // live streams have no end, and connections that have sent nothing count as busy
  setTimeout(() => server.closeAllConnections(), Number(process.env.DRAIN_SECONDS ?? 10) * 1000).unref();
});
