import type { Customers } from '#features/customers';
import type { PluginKeys } from '#features/plugin-keys';
import type { MyProducts, Redemptions } from '#features/redemption';
import type { Sql } from '#platform/db/database.ts';
import type { Base, ErasedPerson } from '#platform/feature.ts';
import { onLane } from '#platform/http/route-lane.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { Activate, activateRoute } from './calls/activate.call.ts';
import { Deactivate, deactivateRoute } from './calls/deactivate.call.ts';
import { Licenses } from './calls/find-license.ts';
import { jwksRoute } from './calls/jwks.call.ts';
import { Transfer, transferRoute } from './calls/transfer.call.ts';
import { Trials, trialRoute } from './calls/trial.call.ts';
import { Validate, validateRoute } from './calls/validate.call.ts';
import { deviceRoutes } from './device-codes/device.call.ts';
import { eraseCodes } from './device-codes/device-codes.queries.ts';
import { deviceCodeRoutes } from './device-codes/device-codes.routes.ts';
import { DeviceCodes } from './device-codes/device-codes.service.ts';
import { ExpansionKeys, expansionKeyRoute } from './expansions/expansion-key.call.ts';
import { expansionSecretRoutes } from './expansions/expansion-secrets.routes.ts';
import { ExpansionSecrets } from './expansions/expansion-secrets.service.ts';
import { hiseRoutes } from './key-files/hise.routes.ts';
import { HiseLicensing } from './key-files/hise.service.ts';
import { juceRoutes } from './key-files/juce.routes.ts';
import { JuceUnlock } from './key-files/juce.service.ts';
import { keyFileRoutes } from './key-files/keyfile.routes.ts';
import { KeyFiles } from './key-files/keyfile.service.ts';
import { productKeyRoutes } from './key-files/product-keys.routes.ts';
import { ProductKeys } from './key-files/product-keys.service.ts';
import { serverTimeRoutes } from './key-files/server-time.routes.ts';
import { ServerTime } from './key-files/server-time.service.ts';
import { legacyRoutes } from './legacy/legacy.routes.ts';
import { LegacyCalls } from './legacy/legacy.service.ts';
import { offlineRoutes } from './offline/offline.routes.ts';
import { OfflineLicenses } from './offline/offline.service.ts';
import { ownOfflineRoutes } from './offline/own-offline.routes.ts';
import { OfflineReleases } from './offline/releases.service.ts';
import { OwnSeats } from './own-seats/own-seats.service.ts';
import { type SeatCodeEmails, SeatCodes } from './own-seats/seat-codes.ts';
import { seatRoutes } from './own-seats/seats.call.ts';
import { notifyRefusals, refusalWebhooksJob } from './refusals/refusal-webhooks.ts';
import { refusalRoutes } from './refusals/refusals.routes.ts';
import { LicenseRefusedEvent } from './refusals/refusals.schemas.ts';
import { Refusals } from './refusals/refusals.ts';
import { refusalOf } from './refusals/refused-redemptions.ts';
import { LicenseFigures } from './requests/license-figures.ts';
import { pluginCalls } from './requests/plugin-call.http.ts';
import { unknownCallRoutes } from './requests/unknown-calls.routes.ts';
import { sealedExpansionSecrets, sealedProductKeys, sealedSigningKeys } from './sealed.ts';
import { checkSeatsJob, countSeatsJob, SeatCounter } from './seats/count-sums.ts';
import { machineRoutes } from './seats/machines.routes.ts';
import { ownMachineRoutes } from './seats/own-machines.routes.ts';
import { Seats } from './seats/seats.service.ts';
import { eraseReleased } from './seats/take.ts';
import { VersionsInUse } from './seats/version-report.ts';
import { Visits } from './seats/visits.ts';
import { tables } from './tables.ts';
import { TokenIssuer } from './tokens/license-token.ts';
import { SigningKeys } from './tokens/signing-keys.ts';
import { TestTokens } from './tokens/test-tokens.ts';
import { publishedUnlockRoutes, unlockRoutes } from './unlocks/unlocks.routes.ts';
import { Unlocks } from './unlocks/unlocks.service.ts';
import { updatesRoute } from './updates/updates.call.ts';
import { type HashedFiles, Updates } from './updates/updates.service.ts';

export { licenseStatuses } from './rules/license-status.ts';
export { asImported, seatImported, unseatImported } from './seats/imported.ts';

interface Needs {
  redemptions: Redemptions;
  myProducts: MyProducts;
  pluginKeys: PluginKeys;
  customers: Customers;
  files: HashedFiles;
  emails: SeatCodeEmails;
  /** The redemption page of a developer. */
  redeemUrl(sql: Sql, developerId: string): Promise<string>;
  domains: {
    /** The developer whose custom domain is in a Host header, or null. */
    developerOf(host: string): Promise<string | null>;
  };
}

export const licensing = {
  entities: tables.entities,
  sealed: [sealedSigningKeys, sealedProductKeys, sealedExpansionSecrets],
  events: [LicenseRefusedEvent] as const,

  create(platform: Base, needs: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const refusals = new Refusals(base);
    needs.redemptions.refused.use((redemption) => {
      const refused = refusalOf(redemption);
      if (refused) refusals.note(refused);
    });
    const productKeys = new ProductKeys(base);
    const keys = new SigningKeys(base);
    const licenses = new Licenses(base);
    const visits = new Visits(base);
    const tokens = new TokenIssuer({ ...base, keys });
    const testTokens = new TestTokens({ ...base, tokens });
    const means = { ...base, ...needs, refusals, productKeys, keys, licenses, visits, tokens, testTokens };
    const activate = new Activate(means);
    const deactivate = new Deactivate(means);
    const trials = new Trials(means);
    const deviceCodes = new DeviceCodes({ ...means, activate });
    const validate = new Validate({ ...means, trials });
    const seatCodes = new SeatCodes(means);
    const ownSeats = new OwnSeats({ ...means, deviceCodes, seatCodes });
    const keyFiles = new KeyFiles({ ...means, activate, deactivate });
    const releases = new OfflineReleases(base);
    const offline = new OfflineLicenses({ ...means, keyFiles, releases });
    const guards = {
      limits: base.limits,
      pluginKeys: needs.pluginKeys,
      signers: keys,
      licenseFigures: new LicenseFigures(base),
    };
    const { countryOf } = base;
    const unlocks = new Unlocks({ ...base, keys, productKeys });
    const seats = new Seats(base);
    const expansionSecrets = new ExpansionSecrets(base);
    const versions = new VersionsInUse(base);
    const seatCounter = new SeatCounter(base);
    return {
      api: {
        productKeys,
        offline,
        seatCounter,
        unlocks,
        productUse: {
          machinesOf: (developerId: string, productId: string) => versions.ofProduct(developerId, productId),
          refusalsOf: (developerId: string, productId: string, since: string) =>
            refusals.byStatus(developerId, productId, since),
        },
      },
      routes: [
        // calls that plugins depend on have database connections of their own
        onLane(
          'licensing',
          pluginCalls(
            guards,
            activateRoute(activate, countryOf),
            validateRoute(validate),
            deactivateRoute(deactivate),
            transferRoute(new Transfer(means)),
            trialRoute(trials),
            updatesRoute(new Updates(means)),
            expansionKeyRoute(new ExpansionKeys({ ...means, expansionSecrets })),
            deviceRoutes(deviceCodes, countryOf),
            seatRoutes(ownSeats),
          ),
          serverTimeRoutes({ ...guards, serverTime: new ServerTime(means) }),
          keyFileRoutes({ ...guards, countryOf, keyFiles }),
          juceRoutes({ ...guards, countryOf, juceUnlock: new JuceUnlock({ ...means, keyFiles }) }),
          hiseRoutes({ ...guards, countryOf, hise: new HiseLicensing({ ...means, validate, deactivate, keyFiles }) }),
          legacyRoutes({ ...guards, countryOf, legacy: new LegacyCalls({ ...means, activate, validate, deactivate }) }),
          offlineRoutes({ ...guards, countryOf, offline, releases }),
          ownOfflineRoutes(offline, releases, needs.myProducts),
          ownMachineRoutes(seats, needs.myProducts),
          publishedUnlockRoutes(unlocks, (host) => needs.domains.developerOf(host)),
          deviceCodeRoutes(deviceCodes),
          jwksRoute(keys),
        ),
        unlockRoutes(unlocks),
        productKeyRoutes(productKeys),
        expansionSecretRoutes(expansionSecrets),
        machineRoutes(seats, versions),
        refusalRoutes(refusals),
        unknownCallRoutes,
      ],
      jobs: [
        jobWorker(refusalWebhooksJob, () => notifyRefusals(base.db, base.clock)),
        jobWorker(countSeatsJob, () => seatCounter.add()),
        jobWorker(checkSeatsJob, () => seatCounter.check()),
      ],
      housekeeping: [
        () => offline.freeEnded(),
        () => refusals.expire(),
        () => deviceCodes.expire(),
        () => seatCodes.expire(),
        () => seatCounter.addUncounted(),
      ],
      async erase(sql: Sql, person: ErasedPerson) {
        await eraseReleased(sql, person);
        await eraseCodes(sql, person);
      },
      close: () => Promise.all([visits.close(), refusals.close()]),
    };
  },
};
