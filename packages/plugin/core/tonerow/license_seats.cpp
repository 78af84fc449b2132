// SPDX-License-Identifier: ISC
// The computers that hold a seat: a code for their list, the list, and the release of one.
#include "license_impl.h"

#include "text.h"

#include <algorithm>
#include <utility>

TONEROW_BEGIN

std::string License::Impl::serialOfSeats() const
{
    const std::lock_guard<std::mutex> hold (mutex);
    const auto wanted = std::string (trimmed (wantedSerial));
    return wanted.empty() ? store.read().text (field::serial) : wanted;
}

void License::Impl::forgetSeats()
{
    view.seats.clear();
    view.isCodeSent = view.areSeatsKnown = false;
}

void License::Impl::noteOfSeats (const Reply& reply)
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

std::string License::Impl::confirmed() const
{
    const std::lock_guard<std::mutex> hold (mutex);
    return confirmedCode;
}

std::string License::Impl::seatToken (const Record& record) const
{
    const std::lock_guard<std::mutex> hold (mutex);
    const auto isOfSerial = trimmed (wantedSerial).empty() || trimmed (wantedSerial) == record.text (field::serial);
    return confirmedCode.empty() && trimmed (wantedCode).empty() && isOfSerial ? record.text (field::token)
                                                                               : std::string();
}

JsonWriter License::Impl::aboutSeats (const std::string& machine) const
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

JsonWriter License::Impl::withProof() const
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

void License::Impl::sendCode()
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

void License::Impl::listSeats()
{
    const auto reply = post ("seats", withProof());

    if (reply.notice != Notice::none || ! reply.ok)
        return noteOfSeats (reply);

    note (Notice::none, {});
    const std::lock_guard<std::mutex> hold (mutex);
    view.seats = seatsIn (reply.answer);
    view.areSeatsKnown = true;
}

void License::Impl::releaseSeat()
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

std::vector<Seat> License::Impl::seatsIn (const JsonObject& answer)
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

TONEROW_END
