import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { cppLine, hiseXml, juceKey } from './product-key-format.ts';
import * as s from './product-keys.schemas.ts';
import type { ProductKeys, ProductPair } from './product-keys.service.ts';

const read = { as: 'user', role: 'developer', scope: 'products:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'products:write' } as const;

const texts = { juce: juceKey, cpp: cppLine, hise: hiseXml };

export function productKeyRoutes(keys: ProductKeys) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/products/:id/rsa',
      {
        config: { access: read },
        schema: {
          operationId: 'getProductRsa',
          tags: ['products'],
          summary: 'Get the RSA public key for a JUCE or HISE plugin; the pair is created on first use',
          params: IdParams,
          querystring: s.RsaQuery,
          response: privateAnswers({ 200: anyForm }, 404),
        },
      },
      async (request, reply) => {
        const pair = await keys.ofDeveloper(callerOf(request).accountId, request.params.id);
        const { format } = request.query;
        if (format === 'json') return view(pair);
        if (format === 'hise') reply.header('content-disposition', 'attachment; filename="RSA.xml"');
        reply.type(format === 'hise' ? 'application/xml; charset=utf-8' : 'text/plain; charset=utf-8');
        return reply.send(texts[format](pair) as never);
      },
    );

    app.post(
      '/api/products/:id/rsa',
      {
        config: { access: write },
        schema: {
          operationId: 'importProductRsa',
          tags: ['products'],
          summary: 'Use an RSA pair of your own for a product’s key files',
          params: IdParams,
          body: s.ImportRsaBody,
          response: privateAnswers({ 200: s.ProductRsa }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { private_key_pem, replace } = request.body;
        return view(await keys.import(callerOf(request).accountId, request.params.id, private_key_pem, replace));
      },
    );
  };
}

const anyForm = {
  description: 'The key as numbers, as "e,n", as a line of C++, or as HISE’s RSA.xml',
  content: {
    'application/json': { schema: s.ProductRsa },
    'text/plain': { schema: s.RsaText },
    'application/xml': { schema: s.RsaText },
  },
};

function view(pair: ProductPair) {
  return {
    e: pair.exponent,
    n: pair.modulus,
    bits: pair.privateKey.asymmetricKeyDetails?.modulusLength ?? 0,
    created_at: pair.createdAt,
  };
}
