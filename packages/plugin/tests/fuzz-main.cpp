// SPDX-License-Identifier: ISC
#include "fuzz.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#if TONEROW_LIBFUZZER

extern "C" std::size_t LLVMFuzzerMutate (std::uint8_t* bytes, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput (const std::uint8_t* bytes, std::size_t size)
{
    tryAll ({ reinterpret_cast<const char*> (bytes), size });
    return 0;
}

/** Begins with one of the seeds now and then. */
extern "C" std::size_t
LLVMFuzzerCustomMutator (std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned int chance)
{
    static const auto all = seeds();
    const auto& seed = all[(chance / 32) % all.size()];

    if (chance % 32 == 0 && seed.size() <= most)
    {
        std::memcpy (bytes, seed.data(), seed.size());
        size = seed.size();
    }

    return LLVMFuzzerMutate (bytes, size, most);
}

#else

int main (int argc, char** argv)
{
    const auto all = seeds();
    const auto rounds = argc > 1 ? std::atoi (argv[1]) : usualRounds;
    std::uint32_t chance = 12345;
    const auto next = [&] (std::size_t below)
    {
        chance = chance * 1664525u + 1013904223u;
        return static_cast<std::size_t> (chance >> 8) % below;
    };

    for (const auto& each : all)
        tryAll (each);

    for (auto round = 0; round < rounds; ++round)
    {
        auto text = all[next (all.size())];

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

        tryAll (text);
    }

    std::printf ("%d texts\n", rounds);
}

#endif
