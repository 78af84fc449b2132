import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '#platform/http/app-kit.ts';
import type { CountryOf } from '#platform/network/geo.ts';
import {
  answerStatuses,
  type CallerOf,
  type LicenseGuards,
  licenseRequests,
  pluginConfig,
  refusalOf,
} from '../requests/plugin-call.http.ts';
import type { Credential } from '../requests/plugin-caller.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LegacyCalls } from './legacy.service.ts';
import { formOf, type LegacyForm } from './legacy-form.ts';
import * as shape from './shapes.ts';

interface Services extends LicenseGuards {
  legacy: LegacyCalls;
  countryOf: CountryOf;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const KeyParams = z.object({ key: z.string() });
const WooParams = z.object({ key: z.string(), license_key: z.string() });
// the shapes are those of other systems, and their plugins are all that calls: it is no part of our contract
const schema = {
  hide: true,
  response: Object.fromEntries([...answerStatuses, 405].map((status) => [status, z.any()])) as { 200: z.ZodAny },
} as const;
// a look at the head must not take a seat
const options = { config: pluginConfig, exposeHeadRoute: false } as const;

/** The plugin key is in the path, because the maker's domain can put it there and the old plugins know of none. */
function credentialOf({ params }: FastifyRequest): Credential | null {
  const { key } = params as { key?: string };
  return key ? { key } : null;
}

/** Plugins that were made for another system, whose maker's domain passes their calls on. */
export function legacyRoutes({ legacy, countryOf, ...guards }: Services) {
  return async (app: App): Promise<void> => {
    await app.register(async (woo) => {
      const callerOf = licenseRequests(woo, guards, { credentialOf, refuse: refuseAsWoo });
      wooRoutes(woo, legacy, callerOf, countryOf);
    });
    await app.register(async (root) => {
      const callerOf = licenseRequests(root, guards, { credentialOf, refuse: refuseAtRoot });
      const answer = async (request: FastifyRequest) => {
        const form = formOf(request);
        const caller = await callerOf(request);
        if (form.edd_action) return answerEdd(legacy, caller, form, countryOf(request));
        if (form.slm_action) return answerSlm(legacy, caller, form, countryOf(request));
        throw new LicenseRefusal('invalid_request', 'Send edd_action or slm_action.');
      };
      root.get('/legacy/:key', { ...options, schema: { ...schema, params: KeyParams } }, answer);
      root.post('/legacy/:key', { ...options, schema: { ...schema, params: KeyParams } }, answer);
    });
  };
}

type Caller = Awaited<ReturnType<CallerOf>>;

/** License Manager for WooCommerce: an activation is known by a token, which is the machine here. */
function wooRoutes(app: App, legacy: LegacyCalls, callerOf: CallerOf, countryOf: CountryOf): void {
  const path = (action: string) => `/legacy/:key/wp-json/lmfwc/v2/licenses/${action}/:license_key`;
  const wooOptions = { ...options, schema: { ...schema, params: WooParams } };

  app.get(path('activate'), wooOptions, async (request) => {
    const code = request.params.license_key;
    const form = formOf(request);
    const token = form.token || legacy.newToken();
    const answer = await legacy.activate(await callerOf(request), code, token, form, countryOf(request));
    return {
      success: true,
      data: {
        ...shape.wooData(code, answer),
        activationData: shape.wooActivation(token, { label: form.label || null }),
      },
    };
  });

  app.get(path('validate'), wooOptions, async (request) => {
    const code = request.params.license_key;
    const form = formOf(request);
    const caller = await callerOf(request);
    const { token } = form;
    const answer = await (token ? legacy.validate(caller, code, token, form) : legacy.look(caller, code, form));
    const activationData = token ? [shape.wooActivation(token)] : [];
    return { success: true, data: { ...shape.wooData(code, answer), activationData } };
  });

  app.get(path('deactivate'), wooOptions, async (request) => {
    const code = request.params.license_key;
    const { token } = formOf(request);
    const caller = await callerOf(request);
    const answer = await (token ? legacy.deactivate(caller, code, token) : legacy.deactivateOnly(caller, code));
    const activationData = token ? shape.wooActivation(token, { ended: legacy.now }) : [];
    return { success: true, data: { ...shape.wooData(code, answer), activationData } };
  });
}

/** A refusal that is an answer about the license; anything else is thrown on. */
async function answered<T>(work: Promise<T>): Promise<T | LicenseRefusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof LicenseRefusal && !shape.isNoAnswer(error.status)) return error;
    throw error;
  }
}

/**
 * A license that does not exist is refused by an exception, so that it is counted against guessers, and its error is
 * in the answer's form all the same.
 */
function passOn(error: LicenseRefusal): void {
  if (error.status === 'not_found') throw error;
}

/** EDD Software Licensing: `url` is the machine. */
async function answerEdd(legacy: LegacyCalls, caller: Caller, form: LegacyForm, country: string | null) {
  const { edd_action: action, license, url = '', item_name: item = '' } = form;
  if (action === 'activate_license') {
    if (!url) return shape.eddRefused(item, 'missing_url', await legacy.facts(caller, license, url));
    const done = await answered(legacy.activate(caller, license, url, form, country));
    if (!(done instanceof LicenseRefusal)) return shape.eddValid(item, done);
    passOn(done);
    return shape.eddRefused(item, done.status, await legacy.facts(caller, license, url));
  }
  if (action === 'check_license') {
    const done = await answered(url ? legacy.validate(caller, license, url, form) : legacy.look(caller, license, form));
    if (done instanceof LicenseRefusal) {
      passOn(done);
      return shape.eddState(item, done.status, await legacy.facts(caller, license, url));
    }
    return url || shape.used(done) > 0 ? shape.eddValid(item, done) : shape.eddState(item, 'not_activated', done);
  }
  if (action === 'deactivate_license') {
    const done = await answered(legacy.deactivate(caller, license, url));
    if (!(done instanceof LicenseRefusal)) return shape.eddDeactivated(item, done);
    passOn(done);
    return shape.eddDeactivated(item, null);
  }
  throw new LicenseRefusal('invalid_request', 'This edd_action is not answered here.');
}

/** Software License Manager: `registered_domain` is the machine. */
async function answerSlm(legacy: LegacyCalls, caller: Caller, form: LegacyForm, country: string | null) {
  const { slm_action: action, license_key: code = '', registered_domain: domain = '' } = form;
  // it has names of its own for products, and never looked at them
  const asked = { ...form, item_name: '' };
  if (action !== 'slm_check' && code && !domain) return shape.slmNoDomain();
  if (action === 'slm_activate') {
    await legacy.activate(caller, code, domain, asked, country);
    return shape.slmDone('License key activated');
  }
  if (action === 'slm_deactivate') {
    await legacy.deactivate(caller, code, domain);
    return shape.slmDone('The license key has been deactivated for this domain');
  }
  if (action === 'slm_check') {
    // its own seat first: while its address guesses, that is all that is looked up
    const seated = domain ? await answered(legacy.validate(caller, code, domain, asked)) : null;
    const isElsewhere = seated === null || (seated instanceof LicenseRefusal && seated.status === 'not_activated');
    const license = isElsewhere ? await answered(legacy.look(caller, code, asked)) : seated;
    if (license instanceof LicenseRefusal) {
      const status = { revoked: 'blocked', expired: 'expired' }[license.status as string];
      if (!status) throw license;
      const answer = await legacy.facts(caller, code, domain);
      return shape.slmDetails(code, { status, now: legacy.now, answer });
    }
    const status = shape.used(license) > 0 ? 'active' : 'pending';
    return shape.slmDetails(code, {
      status,
      now: legacy.now,
      answer: license,
      domain: isElsewhere ? undefined : domain,
    });
  }
  throw new LicenseRefusal('invalid_request', 'This slm_action is not answered here.');
}

function refuseAsWoo(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, status, message } = refusalOf(error, request, reply);
  const http = shape.wooHttp(status, code);
  return reply
    .code(http)
    .type(JSON_TYPE)
    .send(shape.wooError(message, status, http));
}

/** EDD and Software License Manager answer refusals with 200; what is no answer about a license keeps its own status. */
function refuseAtRoot(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, status, message } = refusalOf(error, request, reply);
  const form = formOf(request);
  const isNone = shape.isNoAnswer(status);
  reply.code(isNone ? code : 200).type(JSON_TYPE);
  if (form.slm_action) return reply.send(shape.slmError(message, status));
  if (isNone || !form.edd_action) return reply.send({ success: false, error: status, message });
  const item = form.item_name ?? '';
  const refused =
    form.edd_action === 'check_license'
      ? shape.eddState(item, status)
      : form.edd_action === 'deactivate_license'
        ? shape.eddDeactivated(item, null)
        : shape.eddRefused(item, status);
  return reply.send(refused);
}
