// SPDX-License-Identifier: ISC
// What is stored, judged and shown.
#include "license_impl.h"

#include "text.h"

#include <algorithm>

TONEROW_BEGIN

namespace
{

constexpr Seconds soon = 3 * day;

std::string masked (const std::string& serial)
{
    if (serial.size() <= 8)
        return std::string (serial.size(), '*');

    return serial.substr (0, 4) + "-…-" + serial.substr (serial.size() - 4);
}

} // namespace

Record License::Impl::stored() const
{
    auto record = store.read();

    if (record.isEmpty())
        record = olderRecord();

    return record;
}

Record License::Impl::olderRecord() const
{
    Record record;
    record.setText (field::serial, parts.older.serial);
    record.setText (field::token, parts.older.token);
    record.setText (field::lease, parts.older.lease);
    return record;
}

void License::Impl::keepOlder()
{
    Change change;
    change.set = olderRecord();
    change.onlyIf = [] (const Record& record) { return record.isEmpty(); };

    if (! change.set.isEmpty() && store.read().isEmpty() && store.update (change) == Saved::inMemory)
    {
        change.onlyIf = nullptr;
        store.update (change);
    }
}

std::string License::Impl::primaryId (const Record& record) const
{
    return ids.empty() ? record.text (field::ownId) : ids.front();
}

std::string License::Impl::ensurePrimaryId()
{
    const auto record = stored();
    const auto id = primaryId (record);

    if (! id.empty())
        return id;

    Change change;
    change.set.setText (field::ownId, createNonce());
    change.onlyIf = [] (const Record& each) { return each.text (field::ownId).empty(); };

    if (const auto outcome = store.update (change); outcome == Saved::inMemory || outcome == Saved::busy)
    {
        change.onlyIf = nullptr;
        store.update (change);
    }

    return primaryId (stored());
}

std::vector<std::string> License::Impl::knownIds (const Record& record) const
{
    auto known = ids;

    if (ids.empty())
        known.push_back (record.text (field::ownId));

    for (const auto& each : parts.olderMachineIds)
        if (isMachineId (each) && std::find (known.begin(), known.end(), each) == known.end())
            known.push_back (each);

    return known;
}

bool License::Impl::isMachineId (std::string_view id)
{
    return ! id.empty() && id.size() <= 256 && isAlphanumericOr ("-_.{}:+/=", id);
}

Seconds License::Impl::timeFor (const Record& record) const
{
    const auto raw = parts.clock->now();
    const auto seen = record.integer (field::seen);
    const auto server = record.integer (field::server);
    const auto corrected = raw - record.integer (field::clock) + server;
    // of two clocks that are possible, the earlier: a wrong clock that was set right must not end a license
    const auto earlier = server > 0 ? std::min (raw, corrected) : raw;
    const auto later = server > 0 ? std::max (raw, corrected) : raw;
    return earlier >= seen ? earlier : std::max (later, seen);
}

bool License::Impl::isClockBehind (const Record& record) const
{
    return record.integer (field::seen) - day > parts.clock->now() && timeFor (record) == record.integer (field::seen);
}

Verdict License::Impl::check (std::string_view token, const Record& record, Seconds now) const
{
    Verdict none;
    none.problem = Problem::malformed;

    if (token.empty() || parts.verifier == nullptr)
        return none;

    return verifyLicense (token, config.keys, { config.productId, knownIds (record), now }, *parts.verifier);
}

bool License::Impl::isConfigured() const
{
    return parts.verifier != nullptr && ! config.server.empty() && ! config.pluginKey.empty()
           && ! config.productId.empty() && ! config.developerId.empty() && ! config.keys.empty();
}

License::Impl::Judgement License::Impl::judge (const Record& record, Seconds now) const
{
    Judgement best;
    auto isExpired = false, isOthers = false;
    Verdict over;
    const auto consider = [&] (const std::string& token, State state, bool isShared = false)
    {
        const auto verdict = check (token, record, now);

        // one for all users of this computer is for the secret of whoever asked for it
        if (isShared ? isReleasedHash (verdict.releaseHash, record) : ! isOurs (verdict, record))
            return;

        isOthers = isOthers || verdict.problem == Problem::wrongMachine;

        // a trial is a trial wherever it is stored
        const auto isTrial = verdict.isTrial || state == State::trial;

        if (verdict.problem == Problem::expired && ! isTrial)
            isExpired = true;

        if (verdict.problem == Problem::expired && over.expiresAt == 0)
            over = verdict;

        if (! verdict.isValid() || (best.isUnlocked && (isTrial || best.verdict.endsAt() >= verdict.endsAt())))
            return;

        best.isUnlocked = true;
        best.verdict = verdict;
        best.isFromToken = state == State::active;
        best.state = verdict.isForGood ? State::forGood : isTrial ? State::trial : state;
    };

    if (! isConfigured())
    {
        best.state = State::misconfigured;
        return best;
    }

    consider (record.text (field::forGood), State::forGood);
    consider (record.text (field::token), State::active);
    consider (record.text (field::lease), State::leased);

    // one for all users of this computer cannot be taken away, so it is known by its serial that it has ended
    const auto shared = tokenIn (store.machineWideText());
    const auto endedSerial = record.text (field::endedSerial);

    if (endedSerial.empty() || check (shared, record, now).serialId != endedSerial)
        consider (shared, State::leased, true);

    if (! best.isUnlocked)
        consider (record.text (field::trial), State::trial);

    if (best.isUnlocked)
    {
        if (best.state != State::trial && best.verdict.endsAt() - now < soon)
            best.state = State::checkSoon;

        return best;
    }

    const auto ended = record.text (field::ended);
    best.verdict = over;

    if (ended == "revoked")
        best.state = State::revoked;
    else if (isExpired || ended == "expired")
        best.state = State::expired;
    else if (ended == "trial_expired" || over.isTrial)
        best.state = State::trialEnded;
    else if (isOthers)
        best.state = State::otherMachine;

    return best;
}

void License::Impl::reread()
{
    auto record = stored();
    const auto now = timeFor (record);
    const auto judgement = judge (record, now);
    const std::lock_guard<std::mutex> hold (mutex);
    knownStamp = store.stamp();
    publish (judgement, record, now);
}

void License::Impl::publish (const Judgement& judgement, const Record& record, Seconds now)
{
    const auto was = wasUnlocked;
    const auto isLost = was && ! judgement.isUnlocked && ! isReleased;

    if (judgement.isUnlocked)
    {
        wasUnlocked = true;
        isReleased = false;
        onLoss = judgement.verdict.onLoss;
        unlocked = true;
    }
    else if (isLost)
    {
        // the session that runs is finished, unless the developer wants it otherwise
        lossNow = onLoss;
        unlocked = onLoss == OnLoss::finish;
    }
    else
    {
        unlocked = false;
    }

    view.state = judgement.state;
    view.isFinishing = isLost && onLoss == OnLoss::finish;
    view.endsAt = judgement.verdict.expiresAt == 0 ? 0 : judgement.verdict.endsAt();
    const auto left = std::max<Seconds> (0, view.endsAt - now);
    view.daysLeft = judgement.isUnlocked ? static_cast<int> (std::min<Seconds> (100000, (left + day - 1) / day)) : 0;
    view.seatsUsed = static_cast<int> (record.integer (field::seatsUsed));
    view.seatsMax = static_cast<int> (record.integer (field::seatsMax));
    view.serialMasked = masked (record.text (field::serial));
    view.machineId = primaryId (record).substr (0, 8);
    view.isReleasable = releasable (record).has_value();
    view.isReleased = ! record.text (field::releaseProof).empty() && record.text (field::lease).empty();

    if (const auto known = JsonObject::parse (record.text (field::update)); known && parts.verifier != nullptr)
        view.update = updateIn (*known);

    // an unlock for good asks no clock
    if (isClockBehind (record) && view.notice == Notice::none && judgement.state != State::forGood)
        view.notice = Notice::clockIsWrong;
}

TONEROW_END
