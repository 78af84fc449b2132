import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { isBare, recordHost } from './domain.ts';

interface DnsRecordProps {
  domain: string | null;
  target: string;
  /** True when DNS already has the record. */
  done: boolean;
}

/** The CNAME record to create, and where to create it. */
export function DnsRecord({ domain, target, done }: DnsRecordProps) {
  const whole = domain && !isBare(domain) ? domain : null;
  return (
    <>
      <div className="p-5">
        <h3 className="font-medium">DNS record</h3>
        <p className="text-sm text-muted">
          {done
            ? 'Keep it in place: the domain works only while this record exists.'
            : 'Add this one at your DNS provider.'}
        </p>
        <table className="mt-3 w-full border-collapse text-left text-sm">
          <caption className="sr-only">The DNS record to add</caption>
          <tbody className="divide-y divide-line border-y border-line">
            <Row name="Type" value="CNAME" />
            <Row name="Host" value={recordHost(domain)} copied="the host" />
            <Row name="Value" value={target} copied="the value" />
          </tbody>
        </table>
      </div>
      {done ? null : (
        <div className="p-5">
          <h3 className="font-medium">At your DNS provider</h3>
          <ol className="mt-2 list-decimal space-y-1.5 pl-5 text-muted marker:text-faint">
            <li>Sign in where your domain is managed, and open its DNS settings.</li>
            <li>
              Add the record above.
              {whole ? (
                <>
                  {' '}
                  If your provider asks for the full name, use <span className="text-text">{whole}</span>.
                </>
              ) : null}{' '}
              Remove any other record for the same host.
            </li>
            <li>With Cloudflare, set the record to “DNS only”. The proxy hides where it points.</li>
            <li>
              Wait. Most providers need minutes, some a day. The certificate for https comes by itself with the first
              visit.
            </li>
          </ol>
        </div>
      )}
    </>
  );
}

function Row({ name, value, copied }: { name: string; value: string; copied?: string }) {
  return (
    <tr className="h-11">
      <th scope="row" className="w-20 font-medium text-muted">
        {name}
      </th>
      <td className="font-mono wrap-anywhere">{value}</td>
      <td className="w-0 text-right">{copied ? <CopyButton compact text={value} what={copied} /> : null}</td>
    </tr>
  );
}
