// SPDX-License-Identifier: ISC
#include "text.h"

#include <algorithm>

TONEROW_BEGIN

namespace
{

constexpr char hexDigits[] = "0123456789abcdef";

int valueOfBase64Url (char c) noexcept
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';

    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;

    if (c >= '0' && c <= '9')
        return c - '0' + 52;

    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

bool isAlphanumeric (char c) noexcept
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool isContinuation (char c) noexcept { return (static_cast<unsigned char> (c) & 0xc0u) == 0x80u; }

/** How many bytes a character has that begins with this one; 0 for none. */
std::size_t lengthOfUtf8 (unsigned char first) noexcept
{
    if (first < 0x80)
        return 1;

    if (first >= 0xc2 && first < 0xe0)
        return 2;

    if (first >= 0xe0 && first < 0xf0)
        return 3;

    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/** Names that Windows keeps for devices, whatever their ending. */
bool isDeviceName (std::string_view name) noexcept
{
    std::string upper;

    for (const auto c : name.substr (0, name.find ('.')))
        upper += c >= 'a' && c <= 'z' ? static_cast<char> (c - 'a' + 'A') : c;

    for (const std::string_view each : { "CON", "PRN", "AUX", "NUL" })
        if (upper == each)
            return true;

    return upper.size() == 4 && upper[3] >= '1' && upper[3] <= '9'
           && (upper.compare (0, 3, "COM") == 0 || upper.compare (0, 3, "LPT") == 0);
}

} // namespace

std::optional<Bytes> fromBase64Url (std::string_view text)
{
    if (text.size() % 4 == 1)
        return std::nullopt;

    Bytes bytes;
    bytes.reserve (text.size() / 4 * 3 + 2);
    std::uint32_t pending = 0;
    unsigned bits = 0;

    for (const auto c : text)
    {
        const auto value = valueOfBase64Url (c);

        if (value < 0)
            return std::nullopt;

        pending = ((pending << 6) | static_cast<std::uint32_t> (value)) & 0xfffffu;
        bits += 6;

        if (bits >= 8)
        {
            bits -= 8;
            bytes.push_back (static_cast<std::uint8_t> ((pending >> bits) & 0xffu));
        }
    }

    if ((pending & ((1u << bits) - 1)) != 0)
        return std::nullopt;

    return bytes;
}

std::string toHex (const std::uint8_t* bytes, std::size_t size)
{
    std::string hex;
    hex.reserve (size * 2);

    for (std::size_t i = 0; i < size; ++i)
    {
        hex += hexDigits[bytes[i] >> 4];
        hex += hexDigits[bytes[i] & 15];
    }

    return hex;
}

bool isUtf8 (std::string_view text) noexcept
{
    for (std::size_t at = 0; at < text.size();)
    {
        const auto first = static_cast<unsigned char> (text[at]);
        const auto length = lengthOfUtf8 (first);

        if (length == 0 || text.size() - at < length)
            return false;

        for (std::size_t i = 1; i < length; ++i)
            if (! isContinuation (text[at + i]))
                return false;

        const auto second = length > 1 ? static_cast<unsigned char> (text[at + 1]) : 0u;

        // longer than it has to be, a surrogate, or beyond the last character
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90)
            || (first == 0xf4 && second >= 0x90))
            return false;

        at += length;
    }

    return true;
}

void appendUtf8 (std::string& text, std::uint32_t c)
{
    if ((c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
        c = 0xfffd;

    const auto add = [&] (std::uint32_t byte) { text += static_cast<char> (static_cast<unsigned char> (byte)); };
    const auto addRest = [&] (unsigned shift) { add (0x80u | ((c >> shift) & 0x3fu)); };

    if (c < 0x80)
    {
        add (c);
    }
    else if (c < 0x800)
    {
        add (0xc0u | (c >> 6));
        addRest (0);
    }
    else if (c < 0x10000)
    {
        add (0xe0u | (c >> 12));
        addRest (6);
        addRest (0);
    }
    else
    {
        add (0xf0u | (c >> 18));
        addRest (12);
        addRest (6);
        addRest (0);
    }
}

bool isAlphanumericOr (std::string_view others, std::string_view text) noexcept
{
    return std::all_of (text.begin(),
                        text.end(),
                        [&] (char c) { return isAlphanumeric (c) || others.find (c) != std::string_view::npos; });
}

std::optional<std::int64_t> toNumber (std::string_view text) noexcept
{
    if (text.empty() || text.size() > 15)
        return std::nullopt;

    std::int64_t number = 0;

    for (const auto c : text)
    {
        if (c < '0' || c > '9')
            return std::nullopt;

        number = number * 10 + (c - '0');
    }

    return number;
}

std::string_view trimmed (std::string_view text) noexcept
{
    const auto isBlank = [] (char c) { return static_cast<unsigned char> (c) <= 0x20 || c == 0x7f; };

    while (! text.empty() && isBlank (text.front()))
        text.remove_prefix (1);

    while (! text.empty() && isBlank (text.back()))
        text.remove_suffix (1);

    return text;
}

std::string toFileName (std::string_view name)
{
    std::string legal;

    for (const auto c : trimmed (name))
    {
        const auto isForbidden = static_cast<unsigned char> (c) < 0x20 || c == 0x7f
                                 || std::string_view ("/\\:*?\"<>|").find (c) != std::string_view::npos;
        legal += isForbidden ? '_' : c;
    }

    constexpr std::size_t longest = 100;

    if (legal.size() > longest)
    {
        auto end = longest;

        while (end > 0 && isContinuation (legal[end]))
            --end;

        legal.resize (end);
    }

    // a dot in front hides it, or is the folder above; one behind, or a space, is lost on Windows
    if (! legal.empty() && legal.front() == '.')
        legal.front() = '_';

    while (! legal.empty() && (legal.back() == '.' || legal.back() == ' '))
        legal.pop_back();

    if (legal.empty() || isDeviceName (legal))
        legal += '_';

    return legal;
}

TONEROW_END
