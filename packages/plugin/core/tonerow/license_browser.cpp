// SPDX-License-Identifier: ISC
// An activation that somebody confirms in a browser.
#include "license_impl.h"

#include <algorithm>
#include <chrono>
#include <utility>

TONEROW_BEGIN

bool License::Impl::waited (std::int64_t seconds)
{
    std::unique_lock<std::mutex> hold (mutex);
    wake.wait_for (hold, std::chrono::seconds (seconds), [this] { return isClosing || isGivenUp; });
    return ! isClosing && ! isGivenUp;
}

void License::Impl::showPage (Page page)
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        view.page = std::move (page);
    }
    changed();
}

void License::Impl::browse()
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

void License::Impl::takeConfirmed (const Reply& reply)
{
    const auto serial = reply.answer.text ("license_key");
    note (! serial.empty() && accept (reply, serial, false) ? Notice::none : Notice::notGenuine, reply.bare());
    reread();
}

License::Impl::Reply License::Impl::waitForAnswer (const std::string& deviceCode,
                                                   const std::string& primary,
                                                   std::int64_t interval,
                                                   std::int64_t until)
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

TONEROW_END
