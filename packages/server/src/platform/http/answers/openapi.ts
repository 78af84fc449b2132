import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Access } from '#platform/access/access.ts';
import { API_VERSION } from '#platform/version.ts';

const transform = createJsonSchemaTransform({});
const transformObject = createJsonSchemaTransformObject({});

/**
 * The contract: an OpenAPI 3.1 document made from the routes of the running app.
 * @param complete adds what routes and schemas leave out.
 */
export async function openapi(app: FastifyInstance, complete: <T extends object>(document: T) => T): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tonerow',
        version: API_VERSION,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Tonerow' },
      },
      // it is read from the server that it describes
      servers: [{ url: '/', description: 'This server.' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A session token or an access token (tnr_pat_…).' },
          pluginKey: { type: 'http', scheme: 'bearer', description: 'A plugin key (tnr_plg_…).' },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = transform(input as never) as { schema: Record<string, unknown>; url: string };
      const access = (input.route as { config?: { access?: Access } }).config?.access;
      if (!access || schema.hide) return { schema, url };
      return { schema: { ...schema, ...securityOf(access), 'x-access': access }, url };
    },
    transformObject: (document) => complete(prune(transformObject(document as never) as Document)),
  });
}

function securityOf(access: Access): object {
  if (access.as === 'public') return { security: access.knows ? [{}, { bearer: [] }] : [] };
  return { security: [access.as === 'plugin' ? { pluginKey: [] } : { bearer: [] }] };
}

type Document = ReturnType<typeof transformObject> & { components?: { schemas?: Record<string, unknown> } };

/** Every named schema is emitted as `X` and `XInput`; unreferenced ones are noise. */
function prune(document: Document): Document {
  const schemas = document.components?.schemas;
  if (!schemas) return document;
  for (;;) {
    const text = JSON.stringify({ ...document, components: { ...document.components, schemas: undefined } });
    const inner = Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)] as const);
    const unused = inner.filter(([name]) => {
      const ref = `"#/components/schemas/${name}"`;
      return !text.includes(ref) && !inner.some(([other, body]) => other !== name && body.includes(ref));
    });
    if (unused.length === 0) return document;
    for (const [name] of unused) delete schemas[name];
  }
}
