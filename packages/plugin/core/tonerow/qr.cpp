// SPDX-License-Identifier: ISC
#include "qr.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

TONEROW_BEGIN

namespace
{

/** What the standard says of a version with error correction M. */
struct Layout
{
    int codewords, correctionPerBlock, blocks;
    int centers[3]; // of the alignment patterns, in both directions; 0 for none
};

constexpr Layout layouts[] = { { 26, 10, 1, { 0, 0, 0 } },    { 44, 16, 1, { 6, 18, 0 } },
                               { 70, 26, 1, { 6, 22, 0 } },   { 100, 18, 2, { 6, 26, 0 } },
                               { 134, 24, 2, { 6, 30, 0 } },  { 172, 16, 4, { 6, 34, 0 } },
                               { 196, 18, 4, { 6, 22, 38 } }, { 242, 22, 4, { 6, 24, 42 } },
                               { 292, 22, 5, { 6, 26, 46 } }, { 346, 26, 5, { 6, 28, 50 } } };
constexpr int mostVersion = 10;

const Layout& layoutOf (int version) noexcept { return layouts[version - 1]; }

int dataCodewords (int version) noexcept
{
    const auto& layout = layoutOf (version);
    return layout.codewords - layout.correctionPerBlock * layout.blocks;
}

int lengthBits (int version) noexcept { return version < 10 ? 8 : 16; }

/** In the field of 256 elements with the polynomial 0x11d. */
int multiply (int one, int other) noexcept
{
    auto product = 0;

    for (auto bit = 7; bit >= 0; --bit)
    {
        product = (product << 1) ^ ((product >> 7) * 0x11d);
        product ^= ((other >> bit) & 1) * one;
    }

    return product;
}

std::uint8_t toByte (int value) noexcept { return static_cast<std::uint8_t> (value & 0xff); }

class BitWriter
{
public:
    void add (int value, int count)
    {
        for (auto bit = count - 1; bit >= 0; --bit, ++bits)
        {
            if (bits % 8 == 0)
                bytes.push_back (0);

            if (((value >> bit) & 1) != 0)
                bytes.back() = toByte (bytes.back() | (0x80 >> (bits % 8)));
        }
    }

    Bytes bytes;
    int bits = 0;
};

/** The text as one segment of bytes, filled up to the whole version. */
Bytes dataOf (std::string_view text, int version)
{
    const auto capacity = dataCodewords (version);
    BitWriter writer;
    writer.add (4, 4);
    writer.add (static_cast<int> (text.size()), lengthBits (version));

    for (const auto each : text)
        writer.add (static_cast<unsigned char> (each), 8);

    writer.add (0, std::min (4, capacity * 8 - writer.bits));
    writer.bits = static_cast<int> (writer.bytes.size()) * 8;

    for (auto filler = 0xec; static_cast<int> (writer.bytes.size()) < capacity; filler ^= 0xec ^ 0x11)
        writer.add (filler, 8);

    return writer.bytes;
}

/** Blocks with their error correction, interleaved. */
Bytes codewordsOf (const Bytes& data, int version)
{
    const auto& layout = layoutOf (version);
    const auto shortBlocks = layout.blocks - layout.codewords % layout.blocks;
    const auto shortData = layout.codewords / layout.blocks - layout.correctionPerBlock;
    std::vector<Bytes> blocks, corrections;
    auto begin = data.begin();

    for (auto i = 0; i < layout.blocks; ++i)
    {
        const auto end = begin + (shortData + (i < shortBlocks ? 0 : 1));
        blocks.emplace_back (begin, end);
        corrections.push_back (qr::reedSolomon (blocks.back(), layout.correctionPerBlock));
        begin = end;
    }

    Bytes all;
    const auto interleave = [&all] (const std::vector<Bytes>& from, int longest)
    {
        for (std::size_t i = 0; i < static_cast<std::size_t> (longest); ++i)
            for (const auto& each : from)
                if (i < each.size())
                    all.push_back (each[i]);
    };
    interleave (blocks, shortData + 1);
    interleave (corrections, layout.correctionPerBlock);
    return all;
}

bool isInverted (int mask, int x, int y) noexcept
{
    switch (mask)
    {
        case 0:
            return (x + y) % 2 == 0;
        case 1:
            return y % 2 == 0;
        case 2:
            return x % 3 == 0;
        case 3:
            return (x + y) % 3 == 0;
        case 4:
            return (x / 3 + y / 2) % 2 == 0;
        case 5:
            return x * y % 2 + x * y % 3 == 0;
        case 6:
            return (x * y % 2 + x * y % 3) % 2 == 0;
        default:
            return ((x + y) % 2 + x * y % 3) % 2 == 0;
    }
}

} // namespace

Bytes qr::reedSolomon (const Bytes& data, int count)
{
    const auto degree = static_cast<std::size_t> (count);
    Bytes divisor (degree, 0);
    divisor.back() = 1;

    for (std::size_t i = 0, root = 1; i < degree; ++i)
    {
        for (std::size_t j = 0; j < degree; ++j)
        {
            divisor[j] = toByte (multiply (divisor[j], static_cast<int> (root)));

            if (j + 1 < degree)
                divisor[j] = toByte (divisor[j] ^ divisor[j + 1]);
        }

        root = static_cast<std::size_t> (multiply (static_cast<int> (root), 2));
    }

    Bytes rest (degree, 0);

    for (const auto each : data)
    {
        const auto factor = each ^ rest.front();
        std::rotate (rest.begin(), rest.begin() + 1, rest.end());
        rest.back() = 0;

        for (std::size_t i = 0; i < degree; ++i)
            rest[i] = toByte (rest[i] ^ multiply (divisor[i], factor));
    }

    return rest;
}

int qr::formatBits (int mask) noexcept
{
    // two bits for M, which are 0, and three for the mask
    auto rest = mask;

    for (auto i = 0; i < 10; ++i)
        rest = (rest << 1) ^ ((rest >> 9) * 0x537);

    return ((mask << 10) | rest) ^ 0x5412;
}

int qr::versionBits (int version) noexcept
{
    auto rest = version;

    for (auto i = 0; i < 12; ++i)
        rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);

    return (version << 12) | rest;
}

QrCode::QrCode (int version) :
    width (version * 4 + 17), dark (static_cast<std::size_t> (width) * static_cast<std::size_t> (width), 0),
    isFunction (dark.size(), 0)
{
}

std::optional<QrCode> QrCode::of (std::string_view text)
{
    for (auto version = 1; version <= mostVersion; ++version)
    {
        if (text.size() * 8 + static_cast<std::size_t> (4 + lengthBits (version))
            > static_cast<std::size_t> (dataCodewords (version)) * 8)
            continue;

        QrCode plain (version);
        plain.drawFunctions (version);
        plain.drawFormat (0);
        plain.drawCodewords (codewordsOf (dataOf (text, version), version));
        auto best = plain;
        auto least = -1;

        for (auto mask = 0; mask < 8; ++mask)
        {
            auto masked = plain;
            masked.applyMask (mask);
            masked.drawFormat (mask);
            const auto points = masked.penalty();

            if (least < 0 || points < least)
            {
                least = points;
                best = std::move (masked);
            }
        }

        return best;
    }

    return std::nullopt;
}

void QrCode::setFunction (int x, int y, bool shouldBeDark) noexcept
{
    if (x < 0 || y < 0 || x >= width || y >= width)
        return;

    dark[at (x, y)] = shouldBeDark ? 1 : 0;
    isFunction[at (x, y)] = 1;
}

void QrCode::drawFinder (int x, int y) noexcept
{
    for (auto dy = -4; dy <= 4; ++dy)
        for (auto dx = -4; dx <= 4; ++dx)
        {
            const auto distance = std::max (std::abs (dx), std::abs (dy));
            setFunction (x + dx, y + dy, distance != 2 && distance != 4);
        }
}

void QrCode::drawFunctions (int version) noexcept
{
    for (auto i = 0; i < width; ++i)
    {
        setFunction (6, i, i % 2 == 0);
        setFunction (i, 6, i % 2 == 0);
    }

    drawFinder (3, 3);
    drawFinder (width - 4, 3);
    drawFinder (3, width - 4);
    const auto& centers = layoutOf (version).centers;
    const auto last = std::max ({ centers[0], centers[1], centers[2] });

    for (const auto y : centers)
        for (const auto x : centers)
        {
            // where a finder is, there is none
            if (x == 0 || y == 0 || (x == 6 && y == 6) || (x == 6 && y == last) || (x == last && y == 6))
                continue;

            for (auto dy = -2; dy <= 2; ++dy)
                for (auto dx = -2; dx <= 2; ++dx)
                    setFunction (x + dx, y + dy, std::max (std::abs (dx), std::abs (dy)) != 1);
        }

    if (version < 7)
        return;

    const auto bits = qr::versionBits (version);

    for (auto i = 0; i < 18; ++i)
    {
        const auto outer = width - 11 + i % 3, inner = i / 3;
        setFunction (outer, inner, ((bits >> i) & 1) != 0);
        setFunction (inner, outer, ((bits >> i) & 1) != 0);
    }
}

void QrCode::drawFormat (int mask) noexcept
{
    const auto bits = qr::formatBits (mask);
    const auto bit = [bits] (int i) { return ((bits >> i) & 1) != 0; };

    for (auto i = 0; i < 6; ++i)
        setFunction (8, i, bit (i));

    setFunction (8, 7, bit (6));
    setFunction (8, 8, bit (7));
    setFunction (7, 8, bit (8));

    for (auto i = 9; i < 15; ++i)
        setFunction (14 - i, 8, bit (i));

    for (auto i = 0; i < 8; ++i)
        setFunction (width - 1 - i, 8, bit (i));

    for (auto i = 8; i < 15; ++i)
        setFunction (8, width - 15 + i, bit (i));

    setFunction (8, width - 8, true);
}

/** In columns of two from the right, up and down by turns. */
void QrCode::drawCodewords (const Bytes& codewords) noexcept
{
    std::size_t next = 0;

    for (auto right = width - 1; right > 0; right -= 2)
    {
        // the column of the timing pattern is left out
        if (right == 6)
            right = 5;

        for (auto step = 0; step < width; ++step)
            for (auto x = right; x > right - 2; --x)
            {
                const auto isUpward = ((right + 1) & 2) == 0;
                const auto y = isUpward ? width - 1 - step : step;

                if (isFunction[at (x, y)] != 0 || next >= codewords.size() * 8)
                    continue;

                dark[at (x, y)] = toByte ((codewords[next / 8] >> (7 - next % 8)) & 1);
                ++next;
            }
    }
}

void QrCode::applyMask (int mask) noexcept
{
    for (auto y = 0; y < width; ++y)
        for (auto x = 0; x < width; ++x)
            if (isFunction[at (x, y)] == 0 && isInverted (mask, x, y))
                dark[at (x, y)] = toByte (dark[at (x, y)] ^ 1);
}

/** How hard a scanner would find it. */
int QrCode::penalty() const noexcept
{
    auto points = 0, count = 0;

    for (const auto isRow : { true, false })
        for (auto line = 0; line < width; ++line)
        {
            auto run = 0, last = -1, recent = 0;

            for (auto i = 0; i < width; ++i)
            {
                const auto is = (isRow ? isDark (i, line) : isDark (line, i)) ? 1 : 0;
                run = is == last ? run + 1 : 1;
                last = is;

                if (run == 5)
                    points += 3;
                else if (run > 5)
                    ++points;

                recent = ((recent << 1) | is) & 0x7ff;

                // what looks like a finder, with its light side
                if (i >= 10 && (recent == 0x5d0 || recent == 0x05d))
                    points += 40;
            }
        }

    for (auto y = 0; y < width; ++y)
        for (auto x = 0; x < width; ++x)
        {
            count += isDark (x, y) ? 1 : 0;

            if (x + 1 < width && y + 1 < width && isDark (x, y) == isDark (x + 1, y)
                && isDark (x, y) == isDark (x, y + 1) && isDark (x, y) == isDark (x + 1, y + 1))
                points += 3;
        }

    const auto total = width * width;
    return points + std::abs (count * 20 - total * 10) / total * 10;
}

TONEROW_END
