// SPDX-License-Identifier: ISC
// QR codes (ISO/IEC 18004) of addresses: a phone opens what a plugin cannot.
//
// Bytes only, error correction M, versions 1 to 10: 213 bytes at most. It allocates a few kilobytes, and nothing
// static.
#pragma once

#include "base.h"

#include <optional>
#include <string_view>

TONEROW_BEGIN

class QrCode
{
public:
    /** Nothing when the text is longer than 213 bytes. */
    static std::optional<QrCode> of (std::string_view text);

    /** Modules of one side, without the quiet zone of four that a picture needs around it. */
    int size() const noexcept { return width; }

    bool isDark (int x, int y) const noexcept { return dark[at (x, y)] != 0; }

    static constexpr int quietZone = 4;

private:
    explicit QrCode (int version);

    std::size_t at (int x, int y) const noexcept
    {
        return static_cast<std::size_t> (y) * static_cast<std::size_t> (width) + static_cast<std::size_t> (x);
    }

    void setFunction (int x, int y, bool isDark) noexcept;
    void drawFunctions (int version) noexcept;
    void drawFinder (int x, int y) noexcept;
    void drawFormat (int mask) noexcept;
    void drawCodewords (const Bytes& codewords) noexcept;
    void applyMask (int mask) noexcept;
    int penalty() const noexcept;

    int width;
    std::vector<std::uint8_t> dark, isFunction;
};

/** The parts that have known results, for the tests. */
namespace qr
{

/** The error correction codewords of a block. */
Bytes reedSolomon (const Bytes& data, int count);

/** 15 bits for error correction M and a mask, with their own error correction. */
int formatBits (int mask) noexcept;

/** 18 bits. Codes from version 7 on have them. */
int versionBits (int version) noexcept;

} // namespace qr

TONEROW_END
