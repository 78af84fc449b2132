import { sql } from 'kysely';
import { z } from 'zod';
import { notifyRecorded, patternsFor, RECORDED, recordParts } from '#features/webhooks';
import { type Clock, DAY } from '#platform/clock.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import type { Random } from '#platform/random.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import type { Refusals } from '../refusals/refusals.ts';
import { forms, type PluginRoute, pluginConfig, sameAnswer } from '../requests/plugin-call.http.ts';
import type { PluginCaller } from '../requests/plugin-caller.ts';
import { NewMachineId, note, ProductId } from '../rules/license-fields.ts';
import { type LicenseAnswer, LicenseRefusal } from '../rules/license-status.ts';
import { foldOf, shownOf, spellingsOf } from '../rules/machine-ids.ts';
import { type LicensingDb, tables } from '../tables.ts';
import type { TokenIssuer } from '../tokens/license-token.ts';
import type { Licenses } from './find-license.ts';

const TrialBody = z
  .object({ product_id: ProductId, machine_id: NewMachineId, version: note() })
  .meta({ id: 'StartTrial' });
type TrialBody = z.output<typeof TrialBody>;

/** What `validate` needs for a trial. */
const TrialQuestion = z.object({ product_id: ProductId, machine_id: z.string(), validation_token: z.string() });
type TrialQuestion = z.output<typeof TrialQuestion>;

export const trialRoute =
  (trials: Trials): PluginRoute =>
  (app, callerOf) =>
    app.post(
      '/api/license/v1/trial',
      {
        config: pluginConfig,
        schema: {
          operationId: 'startTrial',
          tags: ['licensing'],
          summary: 'Start a product’s trial on a machine, once',
          description: 'Asking again returns the same trial. Its token has the claim `trial`.',
          consumes: forms,
          body: TrialBody,
          response: sameAnswer,
        },
      },
      async (request) => trials.start(await callerOf(request), request.body),
    );

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  licenses: Licenses;
  tokens: TokenIssuer;
  refusals: Refusals;
}

const onTrial = tables.named('product_on_trial', (begin, developerId: string, productId: string) =>
  begin
    .selectFrom('products')
    .select('trial_days')
    .where('developer_id', '=', developerId)
    .where('id', '=', productId)
    .where('deleted_at', 'is', null)
    .where('is_draft', 'is', false),
);

const trialOf = tables.named(
  'trial',
  (begin, developerId: string, productId: string, machineHashes: readonly Buffer[]) =>
    begin
      .selectFrom('trials as t')
      .$call(joinOwn('products as p', 'p.id', 't.product_id'))
      .select(['t.id', 't.ends_at', 'p.offline_days', 'p.on_loss'])
      .where('t.developer_id', '=', developerId)
      .where('t.product_id', '=', productId)
      .where('t.machine_hash', '=', sql<Buffer>`any(${machineHashes})`)
      .where('p.deleted_at', 'is', null)
      .orderBy('t.started_at')
      .limit(sql.lit(1)),
);
type TrialRow = Awaited<ReturnType<typeof trialOf>>[number];

const beginTrial = tables.named(
  'begin_trial',
  (
    _,
    id: string,
    event: string,
    developerId: string,
    productId: string,
    machineHash: Buffer,
    machine: string,
    now: Date,
    endsAt: Date,
  ) => sql<{ told: string | null }>`
    with begun as (
      insert into trials (id, developer_id, product_id, machine_hash, started_at, ends_at)
      select ${id}::uuid, ${developerId}::uuid, p.id, ${machineHash}::bytea, ${now}::timestamptz, ${endsAt}::timestamptz
      from products p join users u on u.id = p.developer_id
      where p.developer_id = ${developerId} and p.id = ${productId} and u.deleted_at is null for key share
      on conflict (developer_id, product_id, machine_hash) do nothing returning product_id, ends_at
    ), ${recordParts(sql`begun`, {
      id: sql`${event}`,
      account: sql`${developerId}`,
      type: sql.lit('trial.started'),
      patterns: sql`${patternsFor('trial.started')}`,
      at: sql`${now}`,
      data: sql`json_build_object('product_id', given.product_id, 'machine', ${machine}::text,
        'ends_at', to_char(given.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
      personal: sql`null`,
      objects: sql`array[given.product_id]`,
    })}
    select ${RECORDED} as told`,
);

/** A machine tries a product once. Trials are no usage: nothing is redeemed and nothing is billed. */
export class Trials {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Begins a trial, or answers the one that this machine began before. Who has closed their account begins no new ones.
   * @throws {LicenseRefusal} not_found, no_trial, trial_expired
   * @throws {AppError} rate_limited when its address has begun too many
   */
  async start(caller: PluginCaller, form: TrialBody): Promise<LicenseAnswer> {
    await this.#assertKnown(caller, form);
    try {
      return await this.#start(caller, form);
    } catch (error) {
      throw this.#noted(error, 'trial', caller, form.product_id, form);
    }
  }

  async #start({ developerId, asker }: PluginCaller, form: TrialBody): Promise<LicenseAnswer> {
    const { db, clock, random } = this.#deps;
    const [product] = await onTrial(db, developerId, form.product_id);
    if (!product) throw new LicenseRefusal('not_found', 'Product not found.');
    const now = clock.now();
    // a trial that has started continues even after the product stops offering trials
    const begun = await this.#find(developerId, form.product_id, form.machine_id);
    if (!begun && product.trial_days > 0) {
      await asker?.begins('trial');
      await db.work({ tx: true }, async (tx) => {
        const [trial] = await beginTrial(
          tx,
          random.id(),
          random.id(),
          developerId,
          form.product_id,
          sha256(foldOf(form.machine_id)),
          shownOf(form.machine_id),
          now,
          new Date(now.getTime() + product.trial_days * DAY),
        );
        if (trial?.told) await notifyRecorded(tx, { account: developerId, id: trial.told, type: 'trial.started' });
      });
    }
    const trial = begun ?? (await this.#find(developerId, form.product_id, form.machine_id));
    if (!trial) throw new LicenseRefusal('no_trial');
    if (trial.ends_at <= now) throw new LicenseRefusal('trial_expired');
    return this.#answer(trial, await this.#token(developerId, trial, form));
  }

  /**
   * Checks whether a trial is still running; issues a fresh token when less than half of the old one's lifetime is
   * left.
   * @throws {LicenseRefusal} invalid_request, not_activated, trial_expired, invalid_token
   */
  async validate(
    caller: PluginCaller,
    form: { product_id: string | null; machine_id: string; version: string | null; validation_token: string | null },
  ): Promise<LicenseAnswer> {
    const question = TrialQuestion.safeParse(form);
    if (!question.success) throw new LicenseRefusal('invalid_request', 'Enter your license key.');
    await this.#assertKnown(caller, question.data);
    try {
      return await this.#validate(caller.developerId, question.data);
    } catch (error) {
      throw this.#noted(error, 'validate', caller, question.data.product_id, form);
    }
  }

  async #validate(developerId: string, form: TrialQuestion): Promise<LicenseAnswer> {
    const { clock, tokens } = this.#deps;
    const trial = await this.#find(developerId, form.product_id, form.machine_id);
    if (!trial) throw new LicenseRefusal('not_activated', 'No trial was started on this machine.');
    if (trial.ends_at <= clock.now()) throw new LicenseRefusal('trial_expired');
    const subject = { developerId, id: trial.id, productId: form.product_id, machineId: form.machine_id };
    const claims = await tokens.check(form.validation_token, subject, []);
    // a token that ends with the trial cannot be made longer
    const isWorn = tokens.isWorn(claims) && claims.exp !== claims.lic;
    const fresh = isWorn || tokens.isOutdated(claims, trial);
    return this.#answer(trial, fresh ? await this.#token(developerId, trial, form) : undefined);
  }

  /** While an address is guessing, only a machine that began a trial of the product gets through. */
  #assertKnown(
    { developerId, asker }: PluginCaller,
    { product_id, machine_id }: Pick<TrialQuestion, 'product_id' | 'machine_id'>,
  ) {
    const isKnown = async () => (await this.#find(developerId, product_id, machine_id)) !== undefined;
    return this.#deps.licenses.assertSeated(asker, isKnown);
  }

  #noted<Failure>(
    error: Failure,
    action: 'trial' | 'validate',
    { developerId }: PluginCaller,
    productId: string,
    form: { machine_id: string; version: string | null },
  ): Failure {
    const about = { developer_id: developerId, serial_id: null, product_id: productId };
    return this.#deps.refusals.noted(error, action, about, form);
  }

  #answer(trial: TrialRow, token: string | undefined): LicenseAnswer {
    const answer: LicenseAnswer = { ok: true, status: 'trial', trial_ends_at: trial.ends_at };
    return token === undefined ? answer : { ...answer, validation_token: token };
  }

  async #find(developerId: string, productId: string, machineId: string): Promise<TrialRow | undefined> {
    const hashes = spellingsOf(machineId).map(sha256);
    const [trial] = await trialOf(this.#deps.db, developerId, productId, hashes);
    return trial;
  }

  #token(developerId: string, trial: TrialRow, form: { product_id: string; machine_id: string }): Promise<string> {
    const subject = { developerId, id: trial.id, productId: form.product_id, machineId: form.machine_id };
    return this.#deps.tokens.issue(subject, trial, trial.ends_at);
  }
}
