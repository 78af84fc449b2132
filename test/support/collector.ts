import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: Record<string, string | number | undefined>;
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

/** A collector as OTLP over HTTP describes it: takes JSON and protobuf, and keeps what it can read. */
export async function startCollector() {
  const spans: CollectedSpan[] = [];
  const bodies: { path: string; type: string; headers: Record<string, unknown>; text: string }[] = [];
  const resources: Record<string, string | number | undefined>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const type = request.headers['content-type'] ?? '';
      bodies.push({ path: request.url ?? '', type, headers: request.headers, text });
      if (type.includes('json')) take(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
    });
  });
  const take = ({ resourceSpans }: Export) => {
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(flat(resource.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, attributes: flat(span.attributes) });
      }
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    resources,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

function flat(attributes: Attribute[]): Record<string, string | number | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
