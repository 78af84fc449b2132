// SPDX-License-Identifier: ISC
// The questions to the server about this computer's license or trial, and how they are sent.
#include "license_impl.h"

#include "text.h"

#include <algorithm>
#include <utility>

TONEROW_BEGIN

namespace
{

constexpr Seconds claimed = 10 * minute, afterFailure = hour;

bool isEnding (std::string_view status) noexcept
{
    for (const std::string_view each :
         { "revoked", "expired", "not_activated", "not_found", "product_mismatch", "trial_expired" })
        if (status == each)
            return true;

    return false;
}

bool haveCommon (const std::vector<std::string>& one, const std::vector<std::string>& other)
{
    return std::any_of (one.begin(),
                        one.end(),
                        [&] (const auto& each) { return std::find (other.begin(), other.end(), each) != other.end(); });
}

/** "licenses.example.com:8443" of "https://licenses.example.com:8443/path". */
std::string hostOf (const std::string& address)
{
    const auto scheme = address.find ("://");
    const auto rest = scheme == std::string::npos ? address : address.substr (scheme + 3);
    return rest.substr (0, rest.find ('/'));
}

/** Whoever answered may have written it: nothing but what an id is of. */
std::string requestIdIn (const HttpResponse& response)
{
    const auto id = response.header ("X-Request-Id");
    return id.size() <= 64 && isAlphanumericOr ("-_.", id) ? id : std::string();
}

} // namespace

bool License::Impl::ask (bool isWanted)
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
        noteCheck (accept (reply, serial, serial.empty()) ? Notice::none : Notice::notGenuine, reply.bare(), isWanted);
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

License::Impl::Reply License::Impl::askForLicense (const Record& record, const std::vector<std::string>& known)
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

License::Impl::Reply License::Impl::askForTrial (const Record& record)
{
    JsonWriter body;
    body.text ("machine_id", ensurePrimaryId())
        .text ("product_id", config.productId)
        .text ("version", config.version)
        .text ("validation_token", record.text (field::trial));
    return post ("validate", body);
}

JsonWriter License::Impl::activation (const std::string& serial,
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

void License::Impl::activate()
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

void License::Impl::startTrial()
{
    JsonWriter body;
    body.text ("machine_id", ensurePrimaryId()).text ("product_id", config.productId).text ("version", config.version);
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

void License::Impl::release()
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

License::Impl::Reply License::Impl::post (const char* verb, const JsonWriter& body)
{
    return send ("POST", verb, {}, body.finish());
}

License::Impl::Reply
License::Impl::send (const char* method, const char* verb, const std::string& query, const std::string& body)
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

TONEROW_END
