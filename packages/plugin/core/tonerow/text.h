// SPDX-License-Identifier: ISC
// Text that comes from outside: base64url, hexadecimal, UTF-8. None of it depends on the host's language.
#pragma once

#include "base.h"

#include <optional>
#include <string_view>

TONEROW_BEGIN

/** Strict: no padding, no white space, no spare bits, because the same bytes have one spelling. */
std::optional<Bytes> fromBase64Url (std::string_view text);

std::string toHex (const std::uint8_t* bytes, std::size_t size);

/** Shortest forms only, no surrogates, nothing above U+10FFFF. */
bool isUtf8 (std::string_view text) noexcept;

/** Adds a character to UTF-8. A surrogate becomes U+FFFD. */
void appendUtf8 (std::string& text, std::uint32_t character);

/** Whether every character is a letter or digit of ASCII, or one of these. */
bool isAlphanumericOr (std::string_view others, std::string_view text) noexcept;

/** A whole number without a sign, of at most 15 digits. */
std::optional<std::int64_t> toNumber (std::string_view text) noexcept;

/** Without white space and control characters of ASCII at both ends. */
std::string_view trimmed (std::string_view text) noexcept;

/** The name of a file or folder on every system: never empty, never a path, at most 100 bytes of UTF-8. */
std::string toFileName (std::string_view name);

TONEROW_END
