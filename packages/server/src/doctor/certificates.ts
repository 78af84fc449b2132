import { connect } from 'node:tls';
import type { Clock } from '#platform/clock.ts';
import { DAY } from '#platform/clock.ts';
import { type Found, failed, ok, warning, wordsOf } from './finding.ts';

/** A proxy renews a month before the end: with less than this left, that did not work. */
const SOON = 14 * DAY;
const TIMEOUT = 5000;

interface Asked {
  host: string;
  port?: number;
  /** Where to connect instead of asking DNS. */
  address?: string;
  clock: Clock;
}

/** Whether those who open a host by HTTPS get a certificate that is valid for it, and for how long. */
export function certificateOf({ host, port = 443, address = host, clock }: Asked): Promise<Found> {
  return new Promise((resolve) => {
    // a bad certificate must not end the connection: its fault is the answer
    const socket = connect({ host: address, port, servername: host, rejectUnauthorized: false, timeout: TIMEOUT });
    const end = (found: Found) => {
      socket.destroy();
      resolve(found);
    };
    const todo = `Check that the proxy in front of the server gets certificates for ${host}, and that ports 80 and 443 are open.`;
    socket.once('timeout', () => end(failed(`${host} does not answer on port ${port}.`, todo)));
    socket.once('error', (error) => end(failed(`${host} has no HTTPS: ${wordsOf(error)}`, todo)));
    socket.once('secureConnect', () => {
      const { valid_to: until } = socket.getPeerCertificate();
      const left = new Date(until).getTime() - clock.now().getTime();
      if (left <= 0) return end(failed(`The certificate of ${host} has expired: ${until}.`, todo));
      if (!socket.authorized)
        return end(failed(`The certificate of ${host} is not valid: ${String(socket.authorizationError)}.`, todo));
      const days = Math.floor(left / DAY);
      end(
        left < SOON
          ? warning(`The certificate of ${host} ends in ${days} days and was not renewed.`, todo)
          : ok(`The certificate of ${host} is valid for ${days} days.`),
      );
    });
  });
}
