// SPDX-License-Identifier: ISC
// All parsers of what a stranger may send.
#include "fuzz.h"

#include <tonerow/json.h>
#include <tonerow/token.h>

#include <cstdlib>

using namespace tonerow;

namespace
{

/** Takes every signature, so that what is behind it is reached. */
class Believer final : public Verifier
{
public:
    bool verify (std::string_view, const Bytes&, const Bytes&) const override { return true; }
};

} // namespace

const int usualRounds = 20000;

std::vector<std::string> seeds()
{
    return {
        "{\"a\":\"\\u00e9\\ud83c\\udfb9\",\"b\":[1,-2.5e3,{\"c\":null}],\"d\":true}",
        "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ."
        "eyJzdWIiOiJzIiwiYXVkIjoicHJvZHVjdCIsIm1pZCI6Im0iLCJpYXQiOjEsImV4cCI6OTk5OX0.AAAA",
        "-----BEGIN TONEROW LICENSE-----\nProduct: A\n\nabc.def.ghi\n-----END TONEROW LICENSE-----\n",
        "date=1; ed25519=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==; "
        "kid=k",
    };
}

void tryAll (std::string_view text)
{
    const Believer believer;
    const std::vector<PublicKey> keys { { "k", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" } };
    const auto object = JsonObject::parse (text);

    if (object)
    {
        JsonWriter writer;

        for (const auto& member : object->members())
            writer.source (member.name, member.value.source);

        // what was read can be written, and is the same
        const auto again = JsonObject::parse (writer.finish());

        if (! again || again->members().size() != object->members().size())
            std::abort();
    }

    static_cast<void> (objectsIn (text));
    const auto verdict = verifyLicense (text, keys, { "product", { "machine" }, 1000 }, believer);

    if (verdict.isValid() && verdict.productId != "product")
        std::abort();

    static_cast<void> (verifyUpdate (text, keys, "product", believer));
    static_cast<void> (tokenIn (text));
    const auto half = text.size() / 2;
    Answer answer { std::string (text.substr (half)), std::string (text.substr (0, half)), "1000", "" };
    static_cast<void> (verifyAnswer (answer, keys, { "POST", "/", "", 1000 }, believer));
    completeAnswer (answer, text, "n");
}
