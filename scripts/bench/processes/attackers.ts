/**
 * Attacks as one free account can, with two hundred connections, in a separate process: slow uploads, responses
 * that nobody reads, exports one after the other, listeners and silence. Runs until it is ended.
 */
import { connect, type Socket } from 'node:net';

const [url, token, count] = process.argv.slice(2) as [string, string, string];
const { hostname, port } = new URL(url);
const each = Math.floor(Number(count) / 5);
const EXPORTS = ['/api/serials', '/api/serials/redeemed', '/api/customers/export'];
const AGAIN_MS = 200;

/** Opens one connection, and a new one whenever it is closed. */
function keep(begin: (socket: Socket) => void): void {
  const socket = connect(Number(port), hostname);
  socket.on('connect', () => begin(socket));
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(() => keep(begin), AGAIN_MS));
}

const head = (request: string, more: string) =>
  `${request} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const csv = 'Accept: text/csv\r\n';
const anExport = (turn: number) => head(`GET ${EXPORTS[turn % EXPORTS.length]}`, csv);

for (let turn = 0; turn < each; turn += 1) {
  keep((socket) => {
    socket.resume();
    const form = 'Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n';
    socket.write(head('POST /api/serials/import-available', form));
    socket.write(
      chunk('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nSerial,Product\r\n'),
    );
    const timer = setInterval(() => socket.write(chunk('AAAA\r\nBBBB\r\n')), 1000);
    socket.once('close', () => clearInterval(timer));
  });
  keep((socket) => {
    socket.pause();
    socket.write(anExport(turn));
  });
  // reads as fast as it can, then repeats
  keep((socket) => {
    let end = '';
    socket.write(anExport(turn));
    socket.on('data', (data) => {
      end = (end + data.toString('latin1', Math.max(0, data.length - 5))).slice(-5);
      const refused = data.length < 4096 && data.includes('"code":"busy"');
      if (end === '0\r\n\r\n' || refused) setTimeout(() => socket.write(anExport(turn)), refused ? AGAIN_MS : 0);
    });
  });
  keep((socket) => {
    socket.resume();
    socket.write(head('GET /api/events', 'Accept: text/event-stream\r\n'));
  });
  keep((socket) => void socket.resume());
}
