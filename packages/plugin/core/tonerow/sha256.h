// SPDX-License-Identifier: ISC
// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), so that no back end has to bring them.
#pragma once

#include "base.h"

#include <array>
#include <string_view>

TONEROW_BEGIN

using Digest = std::array<std::uint8_t, 32>;

class Sha256
{
public:
    Sha256() noexcept;

    void add (const void* bytes, std::size_t size) noexcept;

    void add (std::string_view text) noexcept { add (text.data(), text.size()); }

    /** Ends it: nothing may be added afterward. */
    Digest finish() noexcept;

private:
    void takeBlock (const std::uint8_t* block) noexcept;

    std::array<std::uint32_t, 8> state;
    std::array<std::uint8_t, 64> pending {};
    std::uint64_t total = 0;
};

Digest sha256 (std::string_view text) noexcept;

/** In lower-case hexadecimal. */
std::string sha256Hex (std::string_view text);

Digest hmacSha256 (std::string_view key, std::string_view text) noexcept;

std::string hmacSha256Hex (std::string_view key, std::string_view text);

TONEROW_END
