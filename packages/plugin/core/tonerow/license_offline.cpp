// SPDX-License-Identifier: ISC
// License files, the secrets by which they are released, and a text for support.
#include "license_impl.h"

#include "sha256.h"

#include <algorithm>

TONEROW_BEGIN

Notice License::Impl::takeFile (std::string_view text)
{
    const auto token = tokenIn (text);
    const auto record = stored();
    const auto now = timeFor (record);
    const auto verdict = check (token, record, now);

    if (verdict.problem == Problem::expired)
        return Notice::expiredFile;

    if (verdict.problem == Problem::notYetValid)
        return Notice::clockIsWrong;

    if (! verdict.isValid())
        return Notice::wrongFile;

    if (! isOurs (verdict, record))
        return Notice::spentFile;

    const auto current = check (record.text (field::lease), record, now);

    if (current.isValid() && current.endsAt() > verdict.endsAt())
        return Notice::leaseLonger;

    keepOlder();
    Change change;
    change.set.setText (verdict.isForGood ? field::forGood : field::lease, token);
    change.set.setInteger (field::seen, now);
    change.removed.emplace_back (field::ended);
    change.removed.emplace_back (field::endedSerial);
    store.update (change);
    reread();
    changed();
    return Notice::none;
}

std::string License::Impl::machineFile()
{
    ensurePrimaryId();
    // where it cannot be stored, its license file would be refused tomorrow: then there is none
    ensureReleaseSecret();
    return peekMachineFile();
}

std::string License::Impl::peekMachineFile() const
{
    const auto record = stored();
    JsonWriter writer;
    writer.text ("machine_id", primaryId (record))
        .text ("device", parts.label.empty() ? parts.os : parts.label)
        .text ("app", config.productName);

    if (const auto secret = unusedSecret (record); ! secret.empty())
        writer.text ("release_hash", sha256Hex (secret));

    return writer.finish();
}

std::string License::Impl::releaseOffline()
{
    auto record = stored();

    if (const auto verdict = releasable (record); verdict)
    {
        const auto lease = record.text (field::lease);
        auto hashes = record.list (field::released);
        hashes.push_back (verdict->releaseHash);

        if (constexpr std::size_t most = 100; hashes.size() > most)
            hashes.erase (hashes.begin());

        JsonWriter proof;
        proof.text ("release", record.text (field::releaseSecret))
            .text ("serial_id", verdict->serialId)
            .text ("product_id", verdict->productId);
        keepOlder();
        Change change;
        change.set.setList (field::released, hashes);
        change.set.setText (field::releaseProof, proof.finish());
        change.removed.emplace_back (field::lease);
        // in memory alone it would be worth nothing, and such a change is not kept
        change.onlyIf = [lease] (const Record& each) { return each.text (field::lease) == lease; };

        if (store.update (change) != Saved::yes)
        {
            changed();
            return {};
        }

        record = stored();
    }

    const auto proof = record.text (field::releaseProof);

    // a license file that came later
    if (proof.empty() || ! record.text (field::lease).empty())
        return {};

    // a second change, because the copy of the store before the first one still has the license
    if (isReleasedHash (sha256Hex (record.text (field::releaseSecret)), record))
    {
        Change change;
        change.removed.emplace_back (field::releaseSecret);
        change.onlyIf = [] (const Record& each) { return ! each.text (field::releaseSecret).empty(); };

        if (const auto outcome = store.update (change); outcome != Saved::yes && outcome != Saved::refused)
        {
            changed();
            return {};
        }
    }

    {
        const std::lock_guard<std::mutex> hold (mutex);
        isReleased = true;
    }
    reread();
    changed();
    return proof;
}

std::string License::Impl::diagnostics() const
{
    const auto shown = currentView();
    const auto record = stored();
    std::string ids8;

    for (const auto& each : ids)
        ids8 += (ids8.empty() ? "" : " ") + each.substr (0, 8);

    // the folder above has the name of its user
    const auto place = store.path().empty() ? std::string() : store.path().substr (parts.places.user.size());
    JsonWriter writer;
    writer.text ("state", nameOf (shown.state))
        .text ("notice", nameOf (shown.notice))
        .text ("status", shown.status)
        .text ("host", shown.attempt.host)
        .integer ("http_status", shown.attempt.httpStatus)
        .text ("request", shown.attempt.requestId)
        .integer ("asked", shown.attempt.at)
        .integer ("unlocked", shown.isUnlocked ? 1 : 0)
        .integer ("finishing", shown.isFinishing ? 1 : 0)
        .text ("product", config.productId)
        .text ("version", config.version)
        .text ("os", parts.os)
        .text ("machine", ids8)
        .integer ("clock", parts.clock->now())
        .integer ("time", timeFor (record))
        .integer ("seen", record.integer (field::seen))
        .integer ("ends", shown.endsAt)
        .integer ("next_check", record.integer (field::nextCheck))
        .text ("store", place)
        .text ("store_trouble", shown.storeTrouble.reason);
    return writer.finish();
}

//==================================================================================================================
bool License::Impl::isReleasedHash (const std::string& hash, const Record& record)
{
    const auto hashes = record.list (field::released);
    return std::find (hashes.begin(), hashes.end(), hash) != hashes.end();
}

std::string License::Impl::unusedSecret (const Record& record)
{
    const auto secret = record.text (field::releaseSecret);
    return isReleasedHash (sha256Hex (secret), record) ? std::string() : secret;
}

void License::Impl::ensureReleaseSecret()
{
    if (! unusedSecret (stored()).empty())
        return;

    const auto one = createNonce(), other = createNonce();

    if (one.empty() || other.empty())
        return;

    keepOlder();
    Change change;
    change.set.setText (field::releaseSecret, one + other);
    change.onlyIf = [] (const Record& each) { return unusedSecret (each).empty(); };
    store.update (change);
}

bool License::Impl::isOurs (const Verdict& verdict, const Record& record)
{
    return verdict.releaseHash.empty()
           || (! isReleasedHash (verdict.releaseHash, record)
               && sha256Hex (record.text (field::releaseSecret)) == verdict.releaseHash);
}

std::optional<Verdict> License::Impl::releasable (const Record& record) const
{
    const auto now = timeFor (record);
    const auto verdict = check (record.text (field::lease), record, now);

    if (! verdict.isValid() || verdict.isForGood || verdict.releaseHash.empty() || ! isOurs (verdict, record)
        || ! record.text (field::token).empty()
        || check (tokenIn (store.machineWideText()), record, now).releaseHash == verdict.releaseHash)
        return std::nullopt;

    return verdict;
}

TONEROW_END
