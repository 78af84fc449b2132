// SPDX-License-Identifier: ISC
#include <tonerow/qr.h>

#include "check.h"

#include <algorithm>
#include <cstdlib>

using namespace tonerow;

namespace
{

/** A reader that owes the encoder nothing but the standard: it finds out version and mask, and corrects no error. */
class Reader
{
public:
    explicit Reader (const QrCode& c) : code (c), size (c.size()), version ((c.size() - 17) / 4) {}

    /** The text; or what is wrong, after a '!'. */
    std::string read() const
    {
        if (size != version * 4 + 17 || version < 1 || version > 10)
            return "!size";

        const auto mask = maskOf();

        if (mask < 0)
            return "!format";

        const auto codewords = codewordsOf (mask);
        // by version, for error correction M: blocks, codewords of error correction in each
        constexpr int tables[10][2] = { { 1, 10 }, { 1, 16 }, { 1, 26 }, { 2, 18 }, { 2, 24 },
                                        { 4, 16 }, { 4, 18 }, { 4, 22 }, { 5, 22 }, { 5, 26 } };
        const auto blocks = static_cast<std::size_t> (tables[version - 1][0]);
        const auto correction = static_cast<std::size_t> (tables[version - 1][1]);
        const auto data = codewords.size() - blocks * correction;
        std::vector<Bytes> all (blocks);
        std::size_t next = 0;

        for (std::size_t i = 0; next < data; ++i)
            for (std::size_t block = 0; block < blocks && next < data; ++block)
            {
                // the blocks at the end may be longer by one
                const auto length = data / blocks + (block >= blocks - data % blocks ? 1 : 0);

                if (i < length)
                    all[block].push_back (codewords[next++]);
            }

        Bytes text;

        for (const auto& each : all)
            text.insert (text.end(), each.begin(), each.end());

        for (std::size_t i = 0; i < correction; ++i)
            for (auto& each : all)
                each.push_back (codewords[next++]);

        for (const auto& each : all)
            if (! isCodeword (each, correction))
                return "!correction";

        return textIn (text);
    }

    bool isVersionRight() const
    {
        auto above = 0, beside = 0;

        for (auto i = 17; i >= 0; --i)
        {
            above = above * 2 + (code.isDark (size - 11 + i % 3, i / 3) ? 1 : 0);
            beside = beside * 2 + (code.isDark (i / 3, size - 11 + i % 3) ? 1 : 0);
        }

        return above == beside && above == qr::versionBits (version);
    }

private:
    int maskOf() const
    {
        auto first = 0, second = 0;

        for (auto i = 14; i >= 0; --i)
        {
            const auto x = i < 8 ? 8 : i == 8 ? 7 : 14 - i, y = i < 6 ? i : i == 6 ? 7 : 8;
            first = first * 2 + (code.isDark (x, y) ? 1 : 0);
            second = second * 2 + ((i < 8 ? code.isDark (size - 1 - i, 8) : code.isDark (8, size - 15 + i)) ? 1 : 0);
        }

        for (auto mask = 0; mask < 8; ++mask)
            if (first == qr::formatBits (mask) && first == second && code.isDark (8, size - 8))
                return mask;

        return -1;
    }

    /** Finders with their formats, timing, alignment and version. */
    bool isFunction (int x, int y) const
    {
        if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8) || x == 6 || y == 6)
            return true;

        if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6)))
            return true;

        std::vector<int> centers;

        if (version >= 2)
            centers = { 6, size - 7 };

        if (version >= 7)
            centers = { 6, (6 + size - 7) / 2, size - 7 };

        for (const auto cy : centers)
            for (const auto cx : centers)
            {
                const auto isFinder =
                    (cx == 6 && cy == 6) || (cx == 6 && cy == size - 7) || (cx == size - 7 && cy == 6);

                if (! isFinder && std::abs (x - cx) <= 2 && std::abs (y - cy) <= 2)
                    return true;
            }

        return false;
    }

    static bool isMasked (int mask, int row, int column)
    {
        const auto product = row * column;
        const int values[] = { (row + column) % 2,
                               row % 2,
                               column % 3,
                               (row + column) % 3,
                               (row / 2 + column / 3) % 2,
                               product % 2 + product % 3,
                               (product % 2 + product % 3) % 2,
                               ((row + column) % 2 + product % 3) % 2 };
        return values[mask] == 0;
    }

    Bytes codewordsOf (int mask) const
    {
        Bytes all;
        auto bits = 0, value = 0;
        auto isUpward = true;

        for (auto column = size - 1; column > 0; column -= 2, isUpward = ! isUpward)
        {
            if (column == 6)
                --column;

            for (auto i = 0; i < size; ++i)
                for (const auto x : { column, column - 1 })
                {
                    const auto y = isUpward ? size - 1 - i : i;

                    if (isFunction (x, y))
                        continue;

                    value = value * 2 + (code.isDark (x, y) != isMasked (mask, y, x) ? 1 : 0);

                    if (++bits == 8)
                    {
                        all.push_back (static_cast<std::uint8_t> (value));
                        bits = value = 0;
                    }
                }
        }

        return all;
    }

    /** Whether all syndromes are 0, by tables of powers. */
    static bool isCodeword (const Bytes& block, std::size_t correction)
    {
        int power[255], logarithm[256] = {};

        for (auto i = 0, value = 1; i < 255; ++i)
        {
            power[i] = value;
            logarithm[value] = i;
            value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
        }

        for (auto root = 0; root < static_cast<int> (correction); ++root)
        {
            auto sum = 0;

            for (const auto each : block)
                sum = (sum == 0 ? 0 : power[(logarithm[sum] + root) % 255]) ^ each;

            if (sum != 0)
                return false;
        }

        return true;
    }

    std::string textIn (const Bytes& data) const
    {
        const auto nibble = [&] (std::size_t at) { return at % 2 == 0 ? data[at / 2] >> 4 : data[at / 2] & 15; };

        if (nibble (0) != 4)
            return "!mode";

        const std::size_t digits = version < 10 ? 2 : 4;
        std::size_t length = 0;

        for (std::size_t i = 1; i <= digits; ++i)
            length = length * 16 + static_cast<std::size_t> (nibble (i));

        std::string text;

        for (std::size_t i = 0; i < length; ++i)
            text += static_cast<char> (nibble (1 + digits + 2 * i) * 16 + nibble (2 + digits + 2 * i));

        return text;
    }

    const QrCode& code;
    const int size, version;
};

} // namespace

TEST ("QR: the error correction of the standard's example")
{
    // HELLO WORLD as version 1 with M, of the tutorials
    const Bytes data { 32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17 };
    const Bytes expected { 196, 35, 39, 119, 235, 215, 231, 226, 93, 23 };
    CHECK (qr::reedSolomon (data, 10) == expected);
}

TEST ("QR: the bits of formats and versions")
{
    const int formats[] = { 0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0 };

    for (auto mask = 0; mask < 8; ++mask)
        EQUAL (qr::formatBits (mask), formats[mask]);

    EQUAL (qr::versionBits (7), 0x07c94);
    EQUAL (qr::versionBits (8), 0x085bc);
    EQUAL (qr::versionBits (9), 0x09a99);
    EQUAL (qr::versionBits (10), 0x0a4d3);
}

TEST ("QR: a reader finds every text of every length")
{
    std::string text;

    for (std::size_t length = 0; length <= 213; ++length)
    {
        const auto code = QrCode::of (text);
        CHECK (code.has_value());

        if (code)
        {
            const Reader reader (*code);
            EQUAL (reader.read(), text);

            if (code->size() >= 45)
                CHECK (reader.isVersionRight());
        }

        text += static_cast<char> ('!' + static_cast<int> (length * 37 % 90));
    }

    CHECK (! QrCode::of (text).has_value());
}

TEST ("QR: the smallest version that holds it, and UTF-8")
{
    EQUAL (QrCode::of (std::string (14, 'a'))->size(), 21);
    EQUAL (QrCode::of (std::string (15, 'a'))->size(), 25);
    EQUAL (QrCode::of (std::string (213, 'a'))->size(), 57);
    EQUAL (Reader (*QrCode::of ("https://lizenzen.example/r/Röhre")).read(), "https://lizenzen.example/r/Röhre");
}
