// SPDX-License-Identifier: ISC
// All parsers of what a stranger may send. With libFuzzer, or with mutations of its own where that is not there.
#include <tonerow/json.h>
#include <tonerow/token.h>

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace tonerow;

namespace
{

/** Takes every signature, so that what is behind it is reached. */
class Believer final : public Verifier
{
public:
    bool verify (std::string_view, const Bytes&, const Bytes&) const override { return true; }
};

void parseAll (std::string_view text)
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput (const std::uint8_t* bytes, std::size_t size)
{
    parseAll ({ reinterpret_cast<const char*> (bytes), size });
    return 0;
}

#if ! TONEROW_LIBFUZZER
int main (int argc, char** argv)
{
    const std::string seeds[] = {
        "{\"a\":\"\\u00e9\\ud83c\\udfb9\",\"b\":[1,-2.5e3,{\"c\":null}],\"d\":true}",
        "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ."
        "eyJzdWIiOiJzIiwiYXVkIjoicHJvZHVjdCIsIm1pZCI6Im0iLCJpYXQiOjEsImV4cCI6OTk5OX0.AAAA",
        "-----BEGIN TONEROW LICENSE-----\nProduct: A\n\nabc.def.ghi\n-----END TONEROW LICENSE-----\n",
        "date=1; ed25519=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==; "
        "kid=k",
    };
    const auto rounds = argc > 1 ? std::atoi (argv[1]) : 20000;
    std::uint32_t chance = 12345;
    const auto next = [&] (std::size_t below)
    {
        chance = chance * 1664525u + 1013904223u;
        return static_cast<std::size_t> (chance >> 8) % below;
    };

    for (auto round = 0; round < rounds; ++round)
    {
        auto text = seeds[next (4)];

        for (auto changes = next (6); changes > 0 && ! text.empty(); --changes)
        {
            const auto at = next (text.size());

            switch (next (4))
            {
                case 0:
                    text[at] = static_cast<char> (static_cast<unsigned char> (next (256)));
                    break;
                case 1:
                    text.erase (at, next (8));
                    break;
                case 2:
                    text.insert (at, text.substr (next (text.size()), next (12)));
                    break;
                default:
                    text.insert (at, 1, "\"\\{}[]:,.0-="[next (12)]);
                    break;
            }
        }

        parseAll (text);
    }

    std::printf ("%d texts\n", rounds);
}
#endif
