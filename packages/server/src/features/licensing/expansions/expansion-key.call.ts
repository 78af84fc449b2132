import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { Id } from '#platform/http/schemas.ts';
import { type License, type Licenses, subjectOf } from '../calls/find-license.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { forms, neverBlockedConfig, type PluginRoute, sameAnswer } from '../requests/plugin-call.http.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { LicenseKey, MachineId, note, ProductText, ValidationToken } from '../rules/license-fields.ts';
import { assertRules } from '../rules/license-rules.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { answerTestSerial } from '../rules/test-serials.ts';
import type { Visits } from '../seats/visits.ts';
import type { TokenIssuer } from '../tokens/license-token.ts';
import type { ExpansionSecrets } from './expansion-secrets.service.ts';

const ExpansionKeyBody = z
  .object({
    license_key: LicenseKey,
    machine_id: MachineId,
    product_id: ProductText,
    version: note(),
    validation_token: ValidationToken,
  })
  .meta({ id: 'GetExpansionKey' });
type ExpansionKeyBody = z.output<typeof ExpansionKeyBody>;

const ExpansionKey = z
  .object({
    ok: z.literal(true),
    status: z.literal('active'),
    serial_id: Id,
    expansion_key: z
      .string()
      .describe('The same for all machines of the serial, and at every call. For ExpansionHandler.setCredentials.'),
  })
  .meta({ id: 'ExpansionKey' });
type ExpansionKey = z.output<typeof ExpansionKey>;

export const expansionKeyRoute =
  (expansionKeys: ExpansionKeys): PluginRoute =>
  (app, callerOf) =>
    app.post(
      '/api/license/v1/expansion-key',
      {
        config: neverBlockedConfig,
        schema: {
          operationId: 'getExpansionKey',
          tags: ['licensing'],
          summary: 'The key by which a HISE plugin opens the expansions of its license',
          description: 'Only for a machine that holds a seat of the serial.',
          consumes: forms,
          body: ExpansionKeyBody,
          response: { ...sameAnswer, 200: ExpansionKey },
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store');
        return expansionKeys.answer(await callerOf(request), request.body);
      },
    );

interface Dependencies {
  clock: Clock;
  licenses: Licenses;
  visits: Visits;
  tokens: TokenIssuer;
  refusals: Refusals;
  expansionSecrets: ExpansionSecrets;
}

/** Keys that open expansions, for a machine that may run the plugin. It writes only a product's first secret. */
export class ExpansionKeys {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {LicenseRefusal} */
  async answer(caller: PluginCaller, form: ExpansionKeyBody): Promise<ExpansionKey> {
    const { licenses, refusals } = this.#deps;
    if (answerTestSerial(form.license_key, caller)) {
      throw new LicenseRefusal('invalid_request', 'There is no expansion key for a test serial.');
    }
    const license = await licenses.find(caller, form.license_key, form.machine_id);
    try {
      return await this.#answer(license, form);
    } catch (error) {
      throw refusals.noted(error, 'validate', license, form);
    }
  }

  async #answer(license: License, form: ExpansionKeyBody): Promise<ExpansionKey> {
    const { clock, visits, tokens, expansionSecrets } = this.#deps;
    const now = clock.now();
    assertRules(license, { now, productId: form.product_id, emailKey: null });
    const isLeaseOver = license.leased_until !== null && license.leased_until <= now;
    if (license.activation_id === null || license.released_at !== null || isLeaseOver) {
      throw new LicenseRefusal('not_activated');
    }
    const { validation_token: token } = form;
    if (token) await tokens.check(token, subjectOf(license, form.machine_id), visits.newestTokens(license));
    visits.note(license, form.version);
    return {
      ok: true,
      status: 'active',
      serial_id: license.serial_id,
      expansion_key: await expansionSecrets.keyOf(license),
    };
  }
}
