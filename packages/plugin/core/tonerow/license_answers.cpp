// SPDX-License-Identifier: ISC
// What is taken from answers, and what is said of them.
#include "license_impl.h"

#include "text.h"

TONEROW_BEGIN

bool License::Impl::accept (const Reply& reply, const std::string& serial, bool isTrial)
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

void License::Impl::lose (const Reply& reply, const std::string& serial)
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

void License::Impl::noteCheck (Notice notice, const Reply& reply, bool isWanted)
{
    auto matters = isWanted;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        matters = matters || ! unlocked || view.state == State::checkSoon || view.isFinishing;
    }

    if (matters)
        note (notice, reply);
}

void License::Impl::note (Notice notice, const Reply& reply)
{
    const std::lock_guard<std::mutex> hold (mutex);
    view.notice = notice;
    view.status = reply.status;
    view.message = reply.message;
    view.attempt = notice == Notice::none || notice == Notice::canceled ? Attempt {} : reply.attempt;
}

void License::Impl::clearNotice()
{
    view.notice = Notice::none;
    view.status.clear();
    view.message.clear();
    view.attempt = {};
}

Seconds License::Impl::jitter()
{
    const auto chance = createNonce();
    Seconds number = 0;

    for (std::size_t i = 0; i < 3 && i < chance.size(); ++i)
        number = number * 16 + (chance[i] <= '9' ? chance[i] - '0' : chance[i] - 'a' + 10);

    return number % hour;
}

bool License::Impl::isAddress (std::string_view text)
{
    const auto begins = [text] (std::string_view with) { return text.substr (0, with.size()) == with; };
    return text.size() <= 2000 && isAlphanumericOr ("-._~:/?#[]@!$&'()*+,;=%", text)
           && (begins ("https://") || begins ("http://localhost") || begins ("http://127.0.0.1"));
}

std::string License::Impl::shortened (const std::string& text, std::size_t most)
{
    auto kept = text.substr (0, most);

    // not in the middle of a character
    while (text.size() > most && ! kept.empty() && ! isUtf8 (kept))
        kept.pop_back();

    return std::string (trimmed (kept));
}

TONEROW_END
