// SPDX-License-Identifier: ISC
#include "license.h"

#include "json.h"
#include "machine.h"
#include "sha256.h"
#include "text.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

TONEROW_BEGIN

namespace
{

constexpr Seconds soon = 3 * day, claimed = 10 * minute, afterFailure = hour;
constexpr std::int64_t processedBeforeCheck = 5;

bool isEnding (std::string_view status) noexcept
{
    for (const std::string_view each :
         { "revoked", "expired", "not_activated", "not_found", "product_mismatch", "trial_expired" })
        if (status == each)
            return true;

    return false;
}

/** Names of what the machine is, without what the server takes for separators. */
bool isMachineId (std::string_view id)
{
    return ! id.empty() && id.size() <= 256 && isAlphanumericOr ("-_.{}:+/=", id);
}

std::string masked (const std::string& serial)
{
    if (serial.size() <= 8)
        return std::string (serial.size(), '*');

    return serial.substr (0, 4) + "-…-" + serial.substr (serial.size() - 4);
}

bool haveCommon (const std::vector<std::string>& one, const std::vector<std::string>& other)
{
    return std::any_of (one.begin(),
                        one.end(),
                        [&] (const auto& each) { return std::find (other.begin(), other.end(), each) != other.end(); });
}

Store::Settings storeFor (const Config& config, const Places& places, const std::atomic<bool>* stop)
{
    Store::Settings settings;
    settings.places = places;
    settings.developer = config.developer.empty() ? config.developerId : config.developer;
    settings.product = config.productId;
    settings.sealKey = "tonerow seal 1\n" + config.developerId + "\n" + config.productId;
    settings.stop = stop;
    return settings;
}

/** Parts without a clock are no reason to crash a host. */
Parts withClock (Parts parts)
{
    if (parts.clock == nullptr)
        parts.clock = createSystemClock();

    return parts;
}

/** What is stored, judged. */
struct Judgement
{
    State state = State::unlicensed;
    Verdict verdict; // of the token that decides
    bool isUnlocked = false;
    bool isFromToken = false; // not from a license file
};

struct Reply
{
    Notice notice = Notice::unreachable; // none: it is the server's
    bool ok = false;
    std::string status, message, token;
    int seatsMax = 0, seatsLeft = 0;
    Seconds signedAt = 0;
    JsonObject answer;
    Attempt attempt;

    /** Nothing but what was asked. */
    Reply bare() const
    {
        Reply reply;
        reply.attempt = attempt;
        return reply;
    }
};

/** "licenses.example.com:8443" of "https://licenses.example.com:8443/path". */
std::string hostOf (const std::string& address)
{
    const auto scheme = address.find ("://");
    const auto rest = scheme == std::string::npos ? address : address.substr (scheme + 3);
    return rest.substr (0, rest.find ('/'));
}

/** What may be opened or drawn: HTTPS, or this computer itself, without anything that is not of an address. */
bool isAddress (std::string_view text)
{
    const auto begins = [text] (std::string_view with) { return text.substr (0, with.size()) == with; };
    return text.size() <= 2000 && isAlphanumericOr ("-._~:/?#[]@!$&'()*+,;=%", text)
           && (begins ("https://") || begins ("http://localhost") || begins ("http://127.0.0.1"));
}

/** A text for a screen: one line, of a bounded length, and UTF-8 because it comes of JSON. */
std::string shortened (const std::string& text, std::size_t most)
{
    auto kept = text.substr (0, most);

    // not in the middle of a character
    while (text.size() > most && ! kept.empty() && ! isUtf8 (kept))
        kept.pop_back();

    return std::string (trimmed (kept));
}

/** A value in the query of an address. */
std::string encoded (std::string_view text)
{
    std::string result;

    for (const auto each : text)
    {
        const auto byte = static_cast<std::uint8_t> (each);

        if (isAlphanumericOr ("-_.~", { &each, 1 }))
            result += each;
        else
            result += "%" + toHex (&byte, 1);
    }

    return result;
}

/** Whoever answered may have written it: nothing but what an id is of. */
std::string requestIdIn (const HttpResponse& response)
{
    const auto id = response.header ("X-Request-Id");
    return id.size() <= 64 && isAlphanumericOr ("-_.", id) ? id : std::string();
}

std::vector<Seat> seatsIn (const JsonObject& answer)
{
    std::vector<Seat> seats;
    const auto* list = answer.find ("seats");

    if (list == nullptr || ! list->isList())
        return seats;

    for (const auto& each : objectsIn (list->source))
    {
        Seat seat;
        seat.id = each.text ("id");
        seat.name = shortened (each.text ("name"), 80);

        // a computer without a name is known by its system, or by the beginning of its id
        if (seat.name.empty())
            seat.name = shortened (each.text ("os").empty() ? each.text ("machine") : each.text ("os"), 80);

        seat.lastSeen = each.text ("last_seen_at").substr (0, 10);
        seat.isThis = each.isTrue ("is_this");

        if (! seat.id.empty() && seat.id.size() <= 200)
            seats.push_back (std::move (seat));
    }

    return seats;
}

/** What an answer says of the newest version, if it is newer than this one. */
Update updateIn (const JsonObject& answer, const Config& config, const Verifier& verifier)
{
    Update update;

    if (! isNewerVersion (answer.text ("version"), config.version) || ! isAddress (answer.text ("link")))
        return update;

    update.version = shortened (answer.text ("version"), 40);
    update.notes = shortened (answer.text ("notes"), 4000);
    update.link = answer.text ("link");
    update.file = verifyUpdate (answer.text ("signature"), config.keys, config.productId, verifier);

    // an older file with a good signature is no update
    if (update.file && update.file->version != answer.text ("version"))
        update.file.reset();

    return update;
}

} // namespace

const char* nameOf (State state) noexcept
{
    switch (state)
    {
        case State::unlicensed:
            return "unlicensed";
        case State::trial:
            return "trial";
        case State::trialEnded:
            return "trial_ended";
        case State::active:
            return "active";
        case State::leased:
            return "leased";
        case State::checkSoon:
            return "check_soon";
        case State::expired:
            return "expired";
        case State::revoked:
            return "revoked";
        case State::otherMachine:
            return "other_machine";
        case State::misconfigured:
            return "misconfigured";
        case State::forGood:
            return "for_good";
    }

    return "unlicensed";
}

const char* nameOf (Notice notice) noexcept
{
    switch (notice)
    {
        case Notice::none:
            return "none";
        case Notice::refused:
            return "refused";
        case Notice::canceled:
            return "canceled";
        case Notice::unreachable:
            return "unreachable";
        case Notice::tooSlow:
            return "too_slow";
        case Notice::notGenuine:
            return "not_genuine";
        case Notice::busyServer:
            return "busy_server";
        case Notice::unknownPlugin:
            return "unknown_plugin";
        case Notice::clockIsWrong:
            return "clock_is_wrong";
        case Notice::emptySerial:
            return "empty_serial";
        case Notice::wrongFile:
            return "wrong_file";
        case Notice::expiredFile:
            return "expired_file";
        case Notice::leaseLonger:
            return "lease_longer";
        case Notice::spentFile:
            return "spent_file";
        case Notice::noChance:
            return "no_chance";
    }

    return "none";
}

bool isNewerVersion (std::string_view version, std::string_view than) noexcept
{
    const auto isDigit = [] (std::string_view text) { return ! text.empty() && text[0] >= '0' && text[0] <= '9'; };
    const auto next = [&isDigit] (std::string_view& text)
    {
        std::int64_t number = 0;

        while (isDigit (text))
        {
            number = std::min<std::int64_t> (number * 10 + (text[0] - '0'), 1000000000);
            text.remove_prefix (1);
        }

        // "1.2-beta" is 1.2 to us: the server does not offer what is not released
        if (! text.empty() && text[0] == '.')
            text.remove_prefix (1);
        else
            text = {};

        return number;
    };

    if (! isDigit (version))
        return false;

    while (! version.empty() || ! than.empty())
    {
        const auto one = next (version), other = next (than);

        if (one != other)
            return one > other;
    }

    return false;
}

bool isUpdateFile (const UpdateFile& file, std::string_view bytes)
{
    return static_cast<std::int64_t> (bytes.size()) == file.size && sha256Hex (bytes) == file.sha256;
}

bool isStored (const Config& config, const Places& places)
{
    return Store (storeFor (config, places, nullptr)).stamp() != 0;
}

Parts Parts::ofThisSystem()
{
    Parts parts;
    parts.verifier = createVerifier();
    parts.clock = createSystemClock();
    parts.places = Places::ofThisSystem();
    parts.systemIds = tonerow::systemIds();
#if defined(_WIN32)
    parts.os = "Windows";
#elif defined(__APPLE__)
    parts.os = "macOS";
#else
    parts.os = "Linux";
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
    parts.arch = "arm64";
#elif defined(__x86_64__) || defined(_M_X64)
    parts.arch = "x86_64";
#else
    parts.arch = "other";
#endif
    return parts;
}

class License::Impl
{
public:
    Impl (Config c, Parts p) :
        config (std::move (c)), parts (withClock (std::move (p))),
        ids (machineIdsFor (config.developerId, parts.systemIds)), store (storeFor (config, parts.places, &isClosing)),
        caller (parts.http, parts.limits)
    {
        reread();
    }

    ~Impl()
    {
        {
            const std::lock_guard<std::mutex> hold (mutex);
            isClosing = true;
            wake.notify_all();
        }
        caller.stop();
        worker.join();
    }

    //==================================================================================================================
    std::atomic<bool> unlocked { false };
    std::atomic<OnLoss> lossNow { OnLoss::finish };
    std::atomic<std::int64_t> processedMicroseconds { 0 };
    std::atomic<std::uint32_t> revision { 0 };

    View currentView() const
    {
        const std::lock_guard<std::mutex> hold (mutex);
        auto copy = view;
        copy.isUnlocked = unlocked;
        copy.revision = revision;
        copy.storeTrouble = store.trouble();
        return copy;
    }

    void begin (Busy what)
    {
        const std::lock_guard<std::mutex> hold (mutex);
        jobs.push_back (what);
        view.busy = what;
        clearNotice();
        isGivenUp = true; // whatever still waits for a browser

        // of another serial, or of another time
        if (what == Busy::activating || what == Busy::browsing || what == Busy::sendingCode)
            forgetSeats();

        if (what == Busy::activating || what == Busy::browsing)
            confirmedCode.clear();
        startWorker();
        ++revision;
    }

    void beginActivation (std::string serial, std::string email)
    {
        {
            const std::lock_guard<std::mutex> hold (mutex);
            wantedSerial = std::move (serial);
            wantedEmail = std::move (email);
        }
        begin (Busy::activating);
    }

    void forgetNotice()
    {
        {
            const std::lock_guard<std::mutex> hold (mutex);
            clearNotice();
        }
        ++revision;
    }

    void tryAgain()
    {
        auto what = Busy::no;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            what = view.attempt.what;
        }

        if (what != Busy::no)
            begin (what);
    }

    void beginSeats (std::string code)
    {
        {
            const std::lock_guard<std::mutex> hold (mutex);
            wantedCode = std::move (code);
        }
        begin (Busy::listingSeats);
    }

    void beginRelease (std::string seatId)
    {
        auto isThis = false;
        {
            const std::lock_guard<std::mutex> hold (mutex);

            for (const auto& each : view.seats)
                isThis = isThis || (each.isThis && each.id == seatId);

            wantedSeat = std::move (seatId);
        }
        // a plugin that gives its own seat back is locked
        begin (isThis ? Busy::releasing : Busy::releasingSeat);
    }

    /** From here on it may use the network by itself. */
    void awaken()
    {
        const std::lock_guard<std::mutex> hold (mutex);

        if (std::exchange (isAwake, true))
            return;

        startWorker();
    }

    void countEditors (int by)
    {
        const std::lock_guard<std::mutex> hold (mutex);
        editors += by;
        wake.notify_all();
    }

    void cancel()
    {
        {
            const std::lock_guard<std::mutex> hold (mutex);
            isGivenUp = true;
            wake.notify_all();
        }
        caller.cancel();
    }

    Notice takeFile (std::string_view text)
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

    std::string machineFile()
    {
        ensurePrimaryId();
        // where it cannot be stored, its license file would be refused tomorrow: then there is none
        ensureReleaseSecret();
        return peekMachineFile();
    }

    std::string peekMachineFile() const
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

    std::string releaseOffline()
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

    std::string diagnostics() const
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

    void setListener (Listener function, void* context)
    {
        const std::lock_guard<std::mutex> hold (listenerMutex);
        listener = function;
        listenerContext = context;
    }

private:
    //==================================================================================================================
    /** What is stored, or was stored elsewhere by a plugin before this one. */
    Record stored() const
    {
        auto record = store.read();

        if (record.isEmpty())
            record = olderRecord();

        return record;
    }

    Record olderRecord() const
    {
        Record record;
        record.setText (field::serial, parts.older.serial);
        record.setText (field::token, parts.older.token);
        record.setText (field::lease, parts.older.lease);
        return record;
    }

    /** Before the first change, which would take its place. */
    void keepOlder()
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

    /** What this computer is called. Where the system has no id, a number of its own. */
    std::string primaryId (const Record& record) const
    {
        return ids.empty() ? record.text (field::ownId) : ids.front();
    }

    std::vector<std::string> knownIds (const Record& record) const
    {
        auto known = ids;

        if (ids.empty())
            known.push_back (record.text (field::ownId));

        for (const auto& each : parts.olderMachineIds)
            if (isMachineId (each) && std::find (known.begin(), known.end(), each) == known.end())
                known.push_back (each);

        return known;
    }

    /** The time, corrected by what the server's was when it was asked last, and never before what was seen. */
    Seconds timeFor (const Record& record) const
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

    bool isClockBehind (const Record& record) const
    {
        return record.integer (field::seen) - day > parts.clock->now()
               && timeFor (record) == record.integer (field::seen);
    }

    Verdict check (std::string_view token, const Record& record, Seconds now) const
    {
        Verdict none;
        none.problem = Problem::malformed;

        if (token.empty() || parts.verifier == nullptr)
            return none;

        return verifyLicense (token, config.keys, { config.productId, knownIds (record), now }, *parts.verifier);
    }

    static bool isReleasedHash (const std::string& hash, const Record& record)
    {
        const auto hashes = record.list (field::released);
        return std::find (hashes.begin(), hashes.end(), hash) != hashes.end();
    }

    /** The secret of this computer, unless a license file was released with it. */
    static std::string unusedSecret (const Record& record)
    {
        const auto secret = record.text (field::releaseSecret);
        return isReleasedHash (sha256Hex (secret), record) ? std::string() : secret;
    }

    /** Whether a license file is for the secret of this computer, where it names one: without the file of the secret, a
     * license file that was released is worth nothing. */
    static bool isOurs (const Verdict& verdict, const Record& record)
    {
        return verdict.releaseHash.empty()
               || (! isReleasedHash (verdict.releaseHash, record)
                   && sha256Hex (record.text (field::releaseSecret)) == verdict.releaseHash);
    }

    /** The license file that can be released: the one that unlocks this computer, and no other account's as well. */
    std::optional<Verdict> releasable (const Record& record) const
    {
        const auto now = timeFor (record);
        const auto verdict = check (record.text (field::lease), record, now);

        if (! verdict.isValid() || verdict.isForGood || verdict.releaseHash.empty() || ! isOurs (verdict, record)
            || ! record.text (field::token).empty()
            || check (tokenIn (store.machineWideText()), record, now).releaseHash == verdict.releaseHash)
            return std::nullopt;

        return verdict;
    }

    bool isConfigured() const
    {
        return parts.verifier != nullptr && ! config.server.empty() && ! config.pluginKey.empty()
               && ! config.productId.empty() && ! config.developerId.empty() && ! config.keys.empty();
    }

    Judgement judge (const Record& record, Seconds now) const
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

    /** Decides anew by what is stored. */
    void reread()
    {
        auto record = stored();
        const auto now = timeFor (record);
        const auto judgement = judge (record, now);
        const std::lock_guard<std::mutex> hold (mutex);
        knownStamp = store.stamp();
        publish (judgement, record, now);
    }

    void publish (const Judgement& judgement, const Record& record, Seconds now)
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
        view.daysLeft =
            judgement.isUnlocked ? static_cast<int> (std::min<Seconds> (100000, (left + day - 1) / day)) : 0;
        view.seatsUsed = static_cast<int> (record.integer (field::seatsUsed));
        view.seatsMax = static_cast<int> (record.integer (field::seatsMax));
        view.serialMasked = masked (record.text (field::serial));
        view.machineId = primaryId (record).substr (0, 8);
        view.isReleasable = releasable (record).has_value();
        view.isReleased = ! record.text (field::releaseProof).empty() && record.text (field::lease).empty();

        if (const auto known = JsonObject::parse (record.text (field::update)); known && parts.verifier != nullptr)
            view.update = updateIn (*known, config, *parts.verifier);

        // an unlock for good asks no clock
        if (isClockBehind (record) && view.notice == Notice::none && judgement.state != State::forGood)
            view.notice = Notice::clockIsWrong;
    }

    //==================================================================================================================
    /** Called with the mutex held. */
    void clearNotice()
    {
        view.notice = Notice::none;
        view.status.clear();
        view.message.clear();
        view.attempt = {};
    }

    /** Called with the mutex held. */
    void startWorker()
    {
        if (! worker.isRunning())
            worker.start ([] (void* self) { static_cast<Impl*> (self)->run(); }, this);

        isPoked = true;
        wake.notify_all();
    }

    void run()
    {
        keepOlder();
        std::unique_lock<std::mutex> hold (mutex);

        while (! isClosing)
        {
            isPoked = false;

            if (jobs.empty())
            {
                hold.unlock();
                lookAround();
                hold.lock();

                if (! isClosing && jobs.empty() && ! isPoked)
                    wake.wait_for (hold, std::chrono::seconds (editors > 0 ? 2 : 60));

                continue;
            }

            const auto job = jobs.front();
            jobs.pop_front();
            isGivenUp = ! jobs.empty();
            hold.unlock();
            perform (job);
            hold.lock();
            view.busy = jobs.empty() ? Busy::no : jobs.front();
            hold.unlock();
            changed();
            hold.lock();
        }
    }

    void perform (Busy job)
    {
        doing = job;

        switch (job)
        {
            case Busy::activating:
                activate();
                break;
            case Busy::startingTrial:
                startTrial();
                break;
            case Busy::checking:
                ask (true);
                break;
            case Busy::releasing:
                release();
                break;
            case Busy::browsing:
                browse();
                break;
            case Busy::sendingCode:
                sendCode();
                break;
            case Busy::listingSeats:
                listSeats();
                break;
            case Busy::releasingSeat:
                releaseSeat();
                break;
            case Busy::lookingForUpdate:
                lookForUpdate (true);
                break;
            case Busy::no:
                break;
        }
    }

    void changed()
    {
        ++revision;
        const std::lock_guard<std::mutex> hold (listenerMutex);

        if (listener != nullptr)
            listener (listenerContext);
    }

    /** What another host wrote, what has expired, and whether the server has to be asked. */
    void lookAround()
    {
        const auto stamp = store.stamp();
        auto isStale = false, mayAsk = false;
        State before;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            isStale = stamp != knownStamp;
            mayAsk = isAwake;
            before = view.state;
        }
        const auto wasOpen = unlocked.load();
        reread();
        auto isOther = isStale || unlocked != wasOpen;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            isOther = isOther || view.state != before;
        }

        if (isOther)
            changed();

        rememberTime();
        doing = Busy::checking;

        if (mayAsk && ask (false))
            changed();

        auto isSeen = false;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            isSeen = editors > 0;
        }

        if (mayAsk && isSeen && config.looksForUpdates && lookForUpdate (false))
            changed();
    }

    /** While the license is good, the time is remembered every hour, so that turning the clock back wins no more than
     * that. */
    void rememberTime()
    {
        const auto record = stored();
        const auto now = timeFor (record);

        if (now - record.integer (field::seen) < hour || ! judge (record, now).isUnlocked)
            return;

        Change change;
        change.set.setInteger (field::seen, now);
        store.update (change);
    }

    //==================================================================================================================
    /** The daily question. False when it is not due, or another host asks it. */
    bool ask (bool isWanted)
    {
        const auto record = stored();
        const auto serial = record.text (field::serial), trial = record.text (field::trial);

        if (! isConfigured() || (serial.empty() && trial.empty()))
            return false;

        // there may be no server any more, and none could take it away
        if (judge (record, timeFor (record)).state == State::forGood)
            return false;

        const auto known = knownIds (record);
        const auto holder = record.text (field::machine);
        const auto isOurs = holder.empty() || std::find (known.begin(), known.end(), holder) != known.end()
                            || haveCommon (record.list (field::machines), ids);

        // a copy of another computer's file: only its owner moves a license, by activating it here
        if (! serial.empty() && ! isOurs)
            return false;

        const auto now = parts.clock->now();
        const auto isDue = [now] (const Record& each)
        {
            const auto next = each.integer (field::nextCheck);
            // a clock that was wrong has put it far away
            return next <= now || next > now + 2 * day;
        };

        if (! isWanted && (! isDue (record) || now < ownNextCheck))
            return false;

        // one of all hosts asks; where nothing can be written, each does
        Change claim;
        claim.set.setInteger (field::nextCheck, now + claimed);

        if (! isWanted)
            claim.onlyIf = isDue;

        const auto outcome = store.update (claim);

        // many hosts at once: one of those that hold the lock asks
        if (outcome == Saved::refused || (outcome == Saved::busy && unlocked))
            return false;

        const auto reply = serial.empty() ? askForTrial (record) : askForLicense (record, known);
        const auto isAnswered = reply.notice == Notice::none;
        ownNextCheck = now + (isAnswered ? day : afterFailure);

        if (isAnswered && reply.ok)
        {
            noteCheck (
                accept (reply, serial, serial.empty()) ? Notice::none : Notice::notGenuine, reply.bare(), isWanted);
        }
        else if (isAnswered && isEnding (reply.status))
        {
            lose (reply, serial);
            note (Notice::refused, reply);
        }
        else
        {
            Change later;
            later.set.setInteger (field::nextCheck, now + afterFailure);
            store.update (later);
            noteCheck (isAnswered ? Notice::refused : reply.notice, reply, isWanted);
        }

        reread();
        return true;
    }

    Reply askForLicense (const Record& record, const std::vector<std::string>& known)
    {
        const auto serial = record.text (field::serial), token = record.text (field::token);
        const auto primary = ensurePrimaryId();

        // the seat is another of this computer's ids'
        if (record.text (field::machine) != primary)
        {
            auto older = known;

            if (isMachineId (record.text (field::machine)))
                older.push_back (record.text (field::machine));

            return post ("activate", activation (serial, {}, primary, older));
        }

        JsonWriter body;
        body.text ("license_key", serial).text ("machine_id", primary).text ("product_id", config.productId);
        body.text ("version", config.version);
        auto withToken = body;

        if (! token.empty())
            withToken.text ("validation_token", token);

        auto reply = post ("validate", withToken);

        // a foreign token is no reason to lock a machine that has a seat: without one, the server returns a fresh one
        if (reply.notice == Notice::none && reply.status == "invalid_token" && ! token.empty())
            reply = post ("validate", body);

        return reply;
    }

    Reply askForTrial (const Record& record)
    {
        JsonWriter body;
        body.text ("machine_id", ensurePrimaryId())
            .text ("product_id", config.productId)
            .text ("version", config.version)
            .text ("validation_token", record.text (field::trial));
        return post ("validate", body);
    }

    JsonWriter activation (const std::string& serial,
                           const std::string& email,
                           const std::string& primary,
                           std::vector<std::string> older) const
    {
        older.erase (std::remove (older.begin(), older.end(), primary), older.end());
        JsonWriter body;
        body.text ("license_key", serial)
            .text ("machine_id", primary)
            .text ("product_id", config.productId)
            .text ("version", config.version)
            .text ("os", parts.os)
            .text ("label", parts.label.empty() ? parts.os : parts.label);

        if (! older.empty())
            body.list ("old_machine_ids", older);

        if (! email.empty())
            body.text ("email", email);

        return body;
    }

    void activate()
    {
        std::string serial, email;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            serial = trimmed (wantedSerial);
            email = trimmed (wantedEmail);
        }

        if (serial.empty())
            return note (Notice::emptySerial, {});

        const auto record = stored();
        auto older = knownIds (record);

        // what held the seat of this license on this computer, under whatever id
        if (record.text (field::serial) == serial && haveCommon (record.list (field::machines), ids)
            && isMachineId (record.text (field::machine)))
            older.push_back (record.text (field::machine));

        const auto reply = post ("activate", activation (serial, email, ensurePrimaryId(), older));

        if (reply.notice != Notice::none)
            return note (reply.notice, reply);

        if (! reply.ok)
            return note (Notice::refused, reply);

        note (accept (reply, serial, false) ? Notice::none : Notice::notGenuine, reply.bare());
        reread();
    }

    //==================================================================================================================
    /** Waits between two questions. False when that was canceled, or the plugin is closed. */
    bool waited (std::int64_t seconds)
    {
        std::unique_lock<std::mutex> hold (mutex);
        wake.wait_for (hold, std::chrono::seconds (seconds), [this] { return isClosing || isGivenUp; });
        return ! isClosing && ! isGivenUp;
    }

    void showPage (Page page)
    {
        {
            const std::lock_guard<std::mutex> hold (mutex);
            view.page = std::move (page);
        }
        changed();
    }

    /** As a television signs in (RFC 8628): a page is shown, and the server asked now and then whether somebody
     * answered. */
    void browse()
    {
        const auto record = stored();
        const auto primary = ensurePrimaryId();
        auto older = knownIds (record);
        older.erase (std::remove (older.begin(), older.end(), primary), older.end());
        JsonWriter body;
        body.text ("machine_id", primary)
            .text ("product_id", config.productId)
            .text ("version", config.version)
            .text ("os", parts.os)
            .text ("label", parts.label.empty() ? parts.os : parts.label);

        if (! older.empty())
            body.list ("old_machine_ids", older);

        const auto begun = post ("device", body);

        if (begun.notice != Notice::none)
            return note (begun.notice, begun);

        if (! begun.ok)
            return note (Notice::refused, begun);

        Page page { begun.answer.text ("verification_uri_complete"), shortened (begun.answer.text ("user_code"), 40) };
        const auto deviceCode = begun.answer.text ("device_code");

        if (page.address.empty())
            page.address = begun.answer.text ("verification_uri");

        if (deviceCode.empty() || page.code.empty() || ! isAddress (page.address))
            return note (Notice::notGenuine, begun.bare());

        const auto lasts = std::clamp<std::int64_t> (begun.answer.integer ("expires_in").value_or (600), 30, 3600);
        const auto until = steadyMilliseconds() + lasts * 1000;
        const auto interval = std::clamp<std::int64_t> (begun.answer.integer ("interval").value_or (5), 1, 60);
        showPage (page);
        const auto end = waitForAnswer (deviceCode, primary, interval, until);
        showPage ({});

        if (end.notice != Notice::none)
            return note (end.notice, end);

        if (! end.ok)
        {
            // whoever confirmed has shown that the seats are theirs
            if (end.status == "seat_limit")
            {
                const std::lock_guard<std::mutex> hold (mutex);
                confirmedCode = deviceCode;
            }

            return note (Notice::refused, end);
        }

        takeConfirmed (end);
    }

    /** An activation with the serial that was chosen in the browser. */
    void takeConfirmed (const Reply& reply)
    {
        const auto serial = reply.answer.text ("license_key");
        note (! serial.empty() && accept (reply, serial, false) ? Notice::none : Notice::notGenuine, reply.bare());
        reread();
    }

    /** What the server said in the end, or why it was not waited for. */
    Reply
    waitForAnswer (const std::string& deviceCode, const std::string& primary, std::int64_t interval, std::int64_t until)
    {
        JsonWriter body;
        body.text ("device_code", deviceCode).text ("machine_id", primary).text ("product_id", config.productId);
        Reply last;

        while (waited (interval))
        {
            last = post ("device/token", body);

            if (last.notice == Notice::none && last.status == "slow_down")
                interval += 5;
            else if (last.notice == Notice::canceled || (last.notice == Notice::none && last.status != "pending"))
                return last;

            // a network that comes and goes, or a server with trouble, ends nothing before its time
            if (steadyMilliseconds() >= until)
            {
                last.notice = Notice::none;
                last.ok = false;
                last.status = "code_expired";
                last.message.clear();
                return last;
            }
        }

        last.notice = Notice::canceled;
        return last;
    }

    //==================================================================================================================
    /** The serial that the seats are about: what was entered last, or what is in use. */
    std::string serialOfSeats() const
    {
        const std::lock_guard<std::mutex> hold (mutex);
        const auto wanted = std::string (trimmed (wantedSerial));
        return wanted.empty() ? store.read().text (field::serial) : wanted;
    }

    /** With the mutex held. */
    void forgetSeats()
    {
        view.seats.clear();
        view.isCodeSent = view.areSeatsKnown = false;
    }

    /** Says why, and forgets a confirmation that is worth nothing more: its time is over, or it was not made by the
     * owner's email. */
    void noteOfSeats (const Reply& reply)
    {
        if (reply.notice != Notice::none)
            return note (reply.notice, reply);

        if (reply.status == "code_required" || reply.status == "code_expired")
        {
            const std::lock_guard<std::mutex> hold (mutex);

            if (! std::exchange (confirmedCode, {}).empty())
                forgetSeats();
        }

        note (Notice::refused, reply);
    }

    std::string confirmed() const
    {
        const std::lock_guard<std::mutex> hold (mutex);
        return confirmedCode;
    }

    /** What shows that this computer has a seat of the serial: with it the seats are listed without a code. */
    std::string seatToken (const Record& record) const
    {
        const std::lock_guard<std::mutex> hold (mutex);
        const auto isOfSerial = trimmed (wantedSerial).empty() || trimmed (wantedSerial) == record.text (field::serial);
        return confirmedCode.empty() && trimmed (wantedCode).empty() && isOfSerial ? record.text (field::token)
                                                                                   : std::string();
    }

    JsonWriter aboutSeats (const std::string& machine) const
    {
        const auto deviceCode = confirmed();
        JsonWriter body;
        body.text ("product_id", config.productId).text ("machine_id", machine);

        if (deviceCode.empty())
            body.text ("license_key", serialOfSeats());
        else
            body.text ("device_code", deviceCode);

        return body;
    }

    /** The same, with what shows that the seats are the customer's. */
    JsonWriter withProof() const
    {
        const auto record = stored();
        const auto token = seatToken (record);

        // the token is about the id that holds the seat
        if (! token.empty() && isMachineId (record.text (field::machine)))
            return aboutSeats (record.text (field::machine)).text ("validation_token", token);

        auto body = aboutSeats (primaryId (record));
        const std::lock_guard<std::mutex> hold (mutex);

        if (confirmedCode.empty())
            body.text ("email_code", trimmed (wantedCode));

        return body;
    }

    void sendCode()
    {
        if (! confirmed().empty())
            return listSeats();

        const auto reply = post ("seats/code", aboutSeats (primaryId (stored())));

        if (reply.notice != Notice::none || ! reply.ok)
            return noteOfSeats (reply);

        note (Notice::none, {});
        const std::lock_guard<std::mutex> hold (mutex);
        view.isCodeSent = true;
    }

    void listSeats()
    {
        const auto reply = post ("seats", withProof());

        if (reply.notice != Notice::none || ! reply.ok)
            return noteOfSeats (reply);

        note (Notice::none, {});
        const std::lock_guard<std::mutex> hold (mutex);
        view.seats = seatsIn (reply.answer);
        view.areSeatsKnown = true;
    }

    void releaseSeat()
    {
        std::string seat;
        auto isForHere = false;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            seat = wantedSeat;
            isForHere = ! unlocked;
        }
        auto body = withProof();
        const auto reply = post ("seats/release", body.text ("seat_id", seat));

        if (reply.notice != Notice::none || (! reply.ok && reply.status != "not_activated"))
            return noteOfSeats (reply);

        {
            const std::lock_guard<std::mutex> hold (mutex);
            const auto isReleasedOne = [&seat] (const Seat& each) { return each.id == seat; };
            view.seats.erase (std::remove_if (view.seats.begin(), view.seats.end(), isReleasedOne), view.seats.end());
        }
        note (Notice::none, {});

        // that is what it was released for
        if (! isForHere)
            return;

        const auto deviceCode = confirmed();

        if (deviceCode.empty())
            return activate();

        JsonWriter question;
        question.text ("device_code", deviceCode)
            .text ("machine_id", ensurePrimaryId())
            .text ("product_id", config.productId);
        const auto end = post ("device/token", question);

        if (end.notice != Notice::none || ! end.ok)
            return note (end.notice == Notice::none ? Notice::refused : end.notice, end);

        takeConfirmed (end);
    }

    //==================================================================================================================
    /** False when it is not due, or another host asks. Nothing of the customer's is sent, and a failure is not spoken
     * of. */
    bool lookForUpdate (bool isWanted)
    {
        const auto now = parts.clock->now();
        const auto isDue = [now] (const Record& each)
        {
            const auto next = each.integer (field::nextUpdate);
            return next <= now || next > now + 2 * day;
        };

        if (! isConfigured() || (! isWanted && (now < ownNextUpdate || ! isDue (stored()))))
            return false;

        keepOlder();
        Change claim;
        claim.set.setInteger (field::nextUpdate, now + day + jitter());

        if (! isWanted)
            claim.onlyIf = isDue;

        const auto outcome = store.update (claim);
        ownNextUpdate = now + day;

        if (outcome == Saved::refused || outcome == Saved::busy)
            return false;

        const auto reply = send ("GET",
                                 "updates",
                                 "?product_id=" + encoded (config.productId) + "&version=" + encoded (config.version)
                                     + "&os=" + encoded (parts.os) + "&arch=" + encoded (parts.arch),
                                 {});

        if (reply.notice != Notice::none || ! reply.ok)
        {
            if (isWanted)
                note (reply.notice == Notice::none ? Notice::refused : reply.notice, reply);

            return isWanted;
        }

        // as it was signed: what another host, or a later version, makes of it is theirs
        const auto* file = reply.answer.find ("file");
        const auto ofFile = file != nullptr ? JsonObject::parse (file->source) : std::nullopt;
        JsonWriter known;
        known.text ("version", reply.answer.text ("version"))
            .text ("notes", shortened (reply.answer.text ("notes"), 4000))
            .text ("link", reply.answer.text ("link"))
            .text ("signature", ofFile ? ofFile->text ("signature") : std::string());
        Change change;
        change.set.setText (field::update, known.finish());
        store.update (change);
        reread();
        return true;
    }

    //==================================================================================================================
    void startTrial()
    {
        JsonWriter body;
        body.text ("machine_id", ensurePrimaryId())
            .text ("product_id", config.productId)
            .text ("version", config.version);
        const auto reply = post ("trial", body);

        if (reply.notice != Notice::none)
            return note (reply.notice, reply);

        if (! reply.ok)
        {
            if (reply.status == "trial_expired")
                lose (reply, {});

            note (Notice::refused, reply);
            return reread();
        }

        note (accept (reply, {}, true) ? Notice::none : Notice::notGenuine, reply.bare());
        reread();
    }

    void release()
    {
        const auto record = stored();
        const auto serial = record.text (field::serial), machine = record.text (field::machine);
        JsonWriter body;
        body.text ("license_key", serial).text ("machine_id", machine.empty() ? primaryId (record) : machine);
        const auto reply = post ("deactivate", body);

        if (reply.notice != Notice::none)
            return note (reply.notice, reply);

        // a seat that is free already is just as good
        if (! reply.ok && reply.status != "not_activated" && reply.status != "not_found")
            return note (Notice::refused, reply);

        Change change;
        change.isForSerial = true;
        change.serial = serial;

        for (const std::string_view name : { field::serial,
                                             field::token,
                                             field::machine,
                                             field::machines,
                                             field::ended,
                                             field::seatsUsed,
                                             field::seatsMax,
                                             field::nextCheck })
            change.removed.emplace_back (name);

        store.update (change);
        {
            const std::lock_guard<std::mutex> hold (mutex);
            isReleased = true;
        }
        note (Notice::none, {});
        reread();
    }

    //==================================================================================================================
    /** Takes what a good answer says, unless its token is not for this product on this computer: then all stays as it
     * was. */
    bool accept (const Reply& reply, const std::string& serial, bool isTrial)
    {
        const auto record = stored();
        const std::string_view name = isTrial ? field::trial : field::token;
        // an answer without a token means that ours is good for a while yet
        const auto isOurs = isTrial || serial == record.text (field::serial);
        const auto token = reply.token.empty() && isOurs ? record.text (name) : reply.token;
        const auto verdict = check (token, record, reply.signedAt);

        if (! verdict.isValid() || verdict.isTrial != isTrial)
            return false;

        const auto now = parts.clock->now();
        Change change;
        change.set.setText (name, token);
        change.set.setInteger (field::clock, now);
        change.set.setInteger (field::server, reply.signedAt);
        // the server's time is the true one: it takes back what a clock that was ahead has seen
        change.set.setInteger (field::seen, reply.signedAt);
        change.isTrueTime = true;
        change.set.setInteger (field::nextCheck, now + day + jitter());

        if (! isTrial)
        {
            change.set.setText (field::serial, serial);
            change.set.setText (field::machine, verdict.machineId);
            change.set.setList (field::machines, ids);
            change.removed.emplace_back (field::ended);
            change.removed.emplace_back (field::endedSerial);

            if (reply.seatsMax > 0)
            {
                change.set.setInteger (field::seatsMax, reply.seatsMax);
                change.set.setInteger (field::seatsUsed, reply.seatsMax - reply.seatsLeft);
            }
        }

        store.update (change);
        return true;
    }

    /** The license has ended on this computer: another one, which another host activated meanwhile, has not. */
    void lose (const Reply& reply, const std::string& serial)
    {
        const auto record = stored();
        const auto about = check (record.text (field::token), record, reply.signedAt).serialId;
        Change change;
        change.isForSerial = true;
        change.serial = serial;
        change.set.setText (field::ended, reply.status);

        if (! serial.empty() && ! about.empty())
            change.set.setText (field::endedSerial, about);

        change.set.setInteger (field::nextCheck, parts.clock->now() + day + jitter());

        if (serial.empty())
        {
            change.removed.emplace_back (field::trial);
        }
        else
        {
            change.removed.emplace_back (field::token);
            change.removed.emplace_back (field::lease);
        }

        store.update (change);
    }

    /** Of a check that nobody asked for, only what matters is said: a license that is good needs no network. */
    void noteCheck (Notice notice, const Reply& reply, bool isWanted)
    {
        auto matters = isWanted;
        {
            const std::lock_guard<std::mutex> hold (mutex);
            matters = matters || ! unlocked || view.state == State::checkSoon || view.isFinishing;
        }

        if (matters)
            note (notice, reply);
    }

    void note (Notice notice, const Reply& reply)
    {
        const std::lock_guard<std::mutex> hold (mutex);
        view.notice = notice;
        view.status = reply.status;
        view.message = reply.message;
        view.attempt = notice == Notice::none || notice == Notice::canceled ? Attempt {} : reply.attempt;
    }

    /** Up to an hour, by chance: the machines of a studio do not ask all at once. */
    static Seconds jitter()
    {
        const auto chance = createNonce();
        Seconds number = 0;

        for (std::size_t i = 0; i < 3 && i < chance.size(); ++i)
            number = number * 16 + (chance[i] <= '9' ? chance[i] - '0' : chance[i] - 'a' + 10);

        return number % hour;
    }

    /** A computer without an id gets one of its own, which stays with the file. */
    std::string ensurePrimaryId()
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

    /** A secret for the next license file, where none is waiting. */
    void ensureReleaseSecret()
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

    Reply post (const char* verb, const JsonWriter& body) { return send ("POST", verb, {}, body.finish()); }

    Reply send (const char* method, const char* verb, const std::string& query, const std::string& body)
    {
        const auto path = std::string ("/api/license/v1/") + verb;
        // the query is no part of what is signed
        const Question asked { method, path, createNonce(), parts.clock->now() };
        Reply reply;

        if (asked.nonce.empty())
        {
            reply.notice = Notice::noChance;
            return reply;
        }

        if (! isConfigured())
        {
            reply.notice = Notice::unknownPlugin;
            return reply;
        }

        reply.attempt.what = doing;
        reply.attempt.host = hostOf (config.server);
        reply.attempt.at = asked.now;
        std::vector<HttpHeader> headers { { "Accept", "application/json" },
                                          { "Authorization", "Bearer " + config.pluginKey },
                                          { "X-Tonerow-Nonce", asked.nonce } };

        if (! body.empty())
            headers.insert (headers.begin(), HttpHeader { "Content-Type", "application/json" });

        const auto response = caller.send ({ method, config.server + path + query, body, std::move (headers) });
        reply.attempt.httpStatus = response.status;
        reply.attempt.requestId = requestIdIn (response);

        if (response.failure != HttpFailure::none)
        {
            reply.notice = response.failure == HttpFailure::tooSlow    ? Notice::tooSlow
                           : response.failure == HttpFailure::tooLarge ? Notice::notGenuine
                           : response.failure == HttpFailure::canceled ? Notice::canceled
                                                                       : Notice::unreachable;
            return reply;
        }

        Answer answer { response.body,
                        response.header ("X-Tonerow-Signature"),
                        response.header ("X-Tonerow-Date"),
                        response.header ("X-Tonerow-Nonce") };
        completeAnswer (answer, response.header ("X-Tonerow-Signed"), asked.nonce);
        const auto verdict = verifyAnswer (answer, config.keys, asked, *parts.verifier);
        const auto object = verdict.isGenuine() ? JsonObject::parse (answer.body) : std::nullopt;

        if (! object)
        {
            // the server does not sign these; whoever sends them cannot win anything by it
            reply.notice = response.status == 401                             ? Notice::unknownPlugin
                           : response.status == 429 || response.status >= 500 ? Notice::busyServer
                                                                              : Notice::notGenuine;
            return reply;
        }

        reply.notice = Notice::none;
        reply.ok = object->isTrue ("ok");
        reply.status = object->text ("status");
        reply.message = object->text ("error");
        reply.token = object->text ("validation_token");
        reply.answer = *object;
        reply.signedAt = verdict.signedAt;
        const auto most = object->integer ("max_activations").value_or (0);
        const auto left = object->integer ("remaining").value_or (0);

        if (most > 0 && most < 1000000 && left >= 0 && left <= most)
        {
            reply.seatsMax = static_cast<int> (most);
            reply.seatsLeft = static_cast<int> (left);
        }

        // of the server's own, but nothing about a license
        if (reply.status == "server_error" || reply.status == "unavailable" || reply.status == "rate_limited")
            reply.notice = Notice::busyServer;
        else if (reply.status == "unauthorized")
            reply.notice = Notice::unknownPlugin;

        return reply;
    }

    //==================================================================================================================
    const Config config;
    const Parts parts;
    const std::vector<std::string> ids;
    std::atomic<bool> isClosing { false };
    mutable Store store;
    HttpCaller caller;
    Seconds ownNextCheck = 0, ownNextUpdate = 0; // the worker's own
    Busy doing = Busy::no;                       // likewise

    mutable std::mutex mutex; // of what follows
    std::condition_variable wake;
    View view;
    std::deque<Busy> jobs;
    std::string wantedSerial, wantedEmail, wantedCode, wantedSeat;
    std::string confirmedCode; // of a page that was confirmed while all seats were taken
    std::uint64_t knownStamp = 0;
    OnLoss onLoss = OnLoss::finish;
    bool wasUnlocked = false, isReleased = false, isAwake = false, isPoked = false, isGivenUp = false;
    int editors = 0;

    std::mutex listenerMutex; // of what follows
    Listener listener = nullptr;
    void* listenerContext = nullptr;

    Thread worker;
};

License::License (Config config, Parts parts) : impl (std::make_unique<Impl> (std::move (config), std::move (parts))) {}

License::~License() = default;

bool License::isUnlocked() const noexcept { return impl->unlocked.load (std::memory_order_relaxed); }

OnLoss License::loss() const noexcept { return impl->lossNow.load (std::memory_order_relaxed); }

void License::processed (std::size_t samples, double sampleRate) noexcept
{
    if (sampleRate > 0.0)
        impl->processedMicroseconds.fetch_add (
            static_cast<std::int64_t> (static_cast<double> (samples) * 1.0e6 / sampleRate), std::memory_order_relaxed);
}

View License::view() const { return impl->currentView(); }

std::uint32_t License::revision() const noexcept { return impl->revision.load(); }

void License::tick()
{
    if (impl->processedMicroseconds.load (std::memory_order_relaxed) >= processedBeforeCheck * 1000000)
        impl->awaken();
}

void License::editorOpened()
{
    impl->countEditors (1);
    impl->awaken();
}

void License::editorClosed() { impl->countEditors (-1); }

void License::activate (std::string serial, std::string email)
{
    impl->beginActivation (std::move (serial), std::move (email));
}

void License::activateInBrowser() { impl->begin (Busy::browsing); }

void License::tryAgain() { impl->tryAgain(); }

void License::forgetNotice() { impl->forgetNotice(); }

void License::sendSeatsCode() { impl->begin (Busy::sendingCode); }

void License::listSeats (std::string code) { impl->beginSeats (std::move (code)); }

void License::releaseSeat (std::string seatId) { impl->beginRelease (std::move (seatId)); }

void License::lookForUpdate() { impl->begin (Busy::lookingForUpdate); }

void License::startTrial() { impl->begin (Busy::startingTrial); }

void License::checkNow() { impl->begin (Busy::checking); }

void License::cancel() { impl->cancel(); }

void License::release() { impl->begin (Busy::releasing); }

std::string License::machineFile() const { return impl->machineFile(); }

std::string License::peekMachineFile() const { return impl->peekMachineFile(); }

Notice License::readLicenseFile (std::string_view text) { return impl->takeFile (text); }

std::string License::releaseOffline() { return impl->releaseOffline(); }

std::string License::diagnostics() const { return impl->diagnostics(); }

void License::setListener (Listener listener, void* context) { impl->setListener (listener, context); }

void License::removeListener() { impl->setListener (nullptr, nullptr); }

TONEROW_END
