// SPDX-License-Identifier: ISC
// Newer versions of the plugin.
#include "license_impl.h"

#include "sha256.h"
#include "text.h"

#include <algorithm>

TONEROW_BEGIN

namespace
{

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

} // namespace

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

bool License::Impl::lookForUpdate (bool isWanted)
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

Update License::Impl::updateIn (const JsonObject& answer) const
{
    Update update;

    if (! isNewerVersion (answer.text ("version"), config.version) || ! isAddress (answer.text ("link")))
        return update;

    update.version = shortened (answer.text ("version"), 40);
    update.notes = shortened (answer.text ("notes"), 4000);
    update.link = answer.text ("link");
    update.file = verifyUpdate (answer.text ("signature"), config.keys, config.productId, *parts.verifier);

    // an older file with a good signature is no update
    if (update.file && update.file->version != answer.text ("version"))
        update.file.reset();

    return update;
}

TONEROW_END
