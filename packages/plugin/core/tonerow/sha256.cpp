// SPDX-License-Identifier: ISC
#include "sha256.h"

#include "text.h"

#include <cstring>

TONEROW_BEGIN

namespace
{

constexpr std::uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

constexpr std::uint32_t rotated (std::uint32_t x, unsigned by) noexcept { return (x >> by) | (x << (32 - by)); }

} // namespace

Sha256::Sha256() noexcept :
    state { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 }
{
}

void Sha256::add (const void* bytes, std::size_t size) noexcept
{
    const auto* next = static_cast<const std::uint8_t*> (bytes);

    while (size > 0)
    {
        const auto used = static_cast<std::size_t> (total % 64);
        const auto taken = size < 64 - used ? size : 64 - used;
        std::memcpy (pending.data() + used, next, taken);
        total += taken;
        next += taken;
        size -= taken;

        if (used + taken == 64)
            takeBlock (pending.data());
    }
}

Digest Sha256::finish() noexcept
{
    const auto bits = total * 8;
    constexpr std::uint8_t one = 0x80, zero = 0;
    add (&one, 1);

    while (total % 64 != 56)
        add (&zero, 1);

    std::uint8_t length[8];

    for (unsigned i = 0; i < 8; ++i)
        length[i] = static_cast<std::uint8_t> (bits >> (56 - 8 * i));

    add (length, sizeof (length));
    Digest digest;

    for (unsigned i = 0; i < 32; ++i)
        digest[i] = static_cast<std::uint8_t> (state[i / 4] >> (24 - 8 * (i % 4)));

    return digest;
}

void Sha256::takeBlock (const std::uint8_t* block) noexcept
{
    std::uint32_t w[64];

    for (unsigned i = 0; i < 16; ++i)
        w[i] = static_cast<std::uint32_t> (block[4 * i]) << 24 | static_cast<std::uint32_t> (block[4 * i + 1]) << 16
               | static_cast<std::uint32_t> (block[4 * i + 2]) << 8 | static_cast<std::uint32_t> (block[4 * i + 3]);

    for (unsigned i = 16; i < 64; ++i)
    {
        const auto s0 = rotated (w[i - 15], 7) ^ rotated (w[i - 15], 18) ^ (w[i - 15] >> 3);
        const auto s1 = rotated (w[i - 2], 17) ^ rotated (w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }

    auto [a, b, c, d, e, f, g, h] = state;

    for (unsigned i = 0; i < 64; ++i)
    {
        const auto s1 = rotated (e, 6) ^ rotated (e, 11) ^ rotated (e, 25);
        const auto t1 = h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i] + w[i];
        const auto s0 = rotated (a, 2) ^ rotated (a, 13) ^ rotated (a, 22);
        const auto t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }

    const std::uint32_t added[8] = { a, b, c, d, e, f, g, h };

    for (unsigned i = 0; i < 8; ++i)
        state[i] += added[i];
}

Digest sha256 (std::string_view text) noexcept
{
    Sha256 hash;
    hash.add (text);
    return hash.finish();
}

std::string sha256Hex (std::string_view text)
{
    const auto digest = sha256 (text);
    return toHex (digest.data(), digest.size());
}

Digest hmacSha256 (std::string_view key, std::string_view text) noexcept
{
    std::uint8_t block[64] = {};

    if (key.size() > sizeof (block))
    {
        const auto digest = sha256 (key);
        std::memcpy (block, digest.data(), digest.size());
    }
    else if (! key.empty())
    {
        std::memcpy (block, key.data(), key.size());
    }

    const auto masked = [&] (std::uint8_t mask, const void* bytes, std::size_t size)
    {
        std::uint8_t pad[64];

        for (unsigned i = 0; i < 64; ++i)
            pad[i] = static_cast<std::uint8_t> (block[i] ^ mask);

        Sha256 hash;
        hash.add (pad, sizeof (pad));
        hash.add (bytes, size);
        return hash.finish();
    };

    const auto inner = masked (0x36, text.data(), text.size());
    return masked (0x5c, inner.data(), inner.size());
}

std::string hmacSha256Hex (std::string_view key, std::string_view text)
{
    const auto digest = hmacSha256 (key, text);
    return toHex (digest.data(), digest.size());
}

TONEROW_END
