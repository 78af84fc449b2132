// SPDX-License-Identifier: ISC
// One JSON object, read strictly and with limits: what a stranger sends costs a bounded amount of memory and stack.
#pragma once

#include "base.h"

#include <optional>
#include <string_view>

TONEROW_BEGIN

/** A value of an object. Lists, objects and numbers with a fraction are `other`: they keep their text alone. */
struct JsonValue
{
    enum class Kind
    {
        text,
        integer,
        boolean,
        null,
        other
    };

    Kind kind = Kind::other;
    std::string text;
    std::int64_t integer = 0;
    bool boolean = false;
    std::string source; // as it was written

    /** Seen by whoever reads a list of objects, such as the entries of a JWKS. */
    bool isList() const noexcept { return ! source.empty() && source.front() == '['; }
};

class JsonObject
{
public:
    struct Member
    {
        std::string name;
        JsonValue value;
    };

    /** Nothing when the text is not one object, or beyond a limit: 1 MiB, 16 levels, 256 members, UTF-8 only. */
    static std::optional<JsonObject> parse (std::string_view text);

    /** The last one of this name, as everybody else reads it. */
    const JsonValue* find (std::string_view name) const noexcept;

    bool has (std::string_view name) const noexcept { return find (name) != nullptr; }

    /** Empty when it is missing or of another kind. */
    std::string text (std::string_view name) const;
    std::optional<std::int64_t> integer (std::string_view name) const noexcept;
    bool isTrue (std::string_view name) const noexcept;

    const std::vector<Member>& members() const noexcept { return all; }

    static constexpr std::size_t mostBytes = 1024 * 1024, mostMembers = 256;
    static constexpr int mostLevels = 16;

private:
    std::vector<Member> all;
};

/** The objects of a list, in the source of a value; what else is in it is left out. At most 256. */
std::vector<JsonObject> objectsIn (std::string_view list);

/** Writes one object, member by member. */
class JsonWriter
{
public:
    JsonWriter& text (std::string_view name, std::string_view value);
    JsonWriter& integer (std::string_view name, std::int64_t value);
    /** A list of texts. */
    JsonWriter& list (std::string_view name, const std::vector<std::string>& values);
    /** A value that is JSON already. */
    JsonWriter& source (std::string_view name, std::string_view json);

    std::string finish() const { return written + (written.empty() ? "{}" : "}"); }

private:
    void begin (std::string_view name);

    std::string written;
};

/** With its quotes. What is not UTF-8 becomes U+FFFD. */
std::string toJson (std::string_view text);

TONEROW_END
