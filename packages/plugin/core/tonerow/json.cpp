// SPDX-License-Identifier: ISC
#include "json.h"

#include "text.h"

TONEROW_BEGIN

namespace
{

class Reader
{
public:
    explicit Reader (std::string_view source) noexcept : json (source) {}

    /** Reads an object with nothing behind it. */
    bool readAll (std::vector<JsonObject::Member>& into)
    {
        skipSpace();
        const auto ok = readObject (&into, 0);
        skipSpace();
        return ok && at == json.size();
    }

    /** Calls back with the source of each entry of a list. */
    template <typename Function>
    bool readEntries (Function&& found)
    {
        skipSpace();
        return readList (0, found);
    }

private:
    bool readObject (std::vector<JsonObject::Member>* into, int depth)
    {
        if (depth >= JsonObject::mostLevels || ! take ('{'))
            return false;

        skipSpace();

        if (take ('}'))
            return true;

        std::size_t count = 0;

        do
        {
            JsonObject::Member member;
            skipSpace();

            if (++count > JsonObject::mostMembers || ! readText (member.name))
                return false;

            skipSpace();

            if (! take (':') || ! readValue (member.value, depth, into != nullptr))
                return false;

            if (into != nullptr)
                into->push_back (std::move (member));
        } while (take (','));

        return take ('}');
    }

    template <typename Function>
    bool readList (int depth, Function&& found)
    {
        if (depth >= JsonObject::mostLevels || ! take ('['))
            return false;

        skipSpace();

        if (take (']'))
            return true;

        do
        {
            skipSpace();
            const auto first = at;
            JsonValue ignored;

            if (! readValue (ignored, depth, false))
                return false;

            found (json.substr (first, at - first));
        } while (take (','));

        return take (']');
    }

    bool readValue (JsonValue& value, int depth, bool isKept)
    {
        skipSpace();
        const auto first = at;
        const auto ok = readBareValue (value, depth);

        if (isKept)
            value.source = std::string (json.substr (first, at - first));

        skipSpace();
        return ok;
    }

    bool readBareValue (JsonValue& value, int depth)
    {
        if (at >= json.size())
            return false;

        switch (json[at])
        {
            case '{':
                return readObject (nullptr, depth + 1);
            case '[':
                return readList (depth + 1, [] (std::string_view) {});
            case '"':
                value.kind = JsonValue::Kind::text;
                return readText (value.text);
            case 't':
                value.kind = JsonValue::Kind::boolean;
                value.boolean = true;
                return takeWord ("true");
            case 'f':
                value.kind = JsonValue::Kind::boolean;
                return takeWord ("false");
            case 'n':
                value.kind = JsonValue::Kind::null;
                return takeWord ("null");
            default:
                return readNumber (value);
        }
    }

    // by hand, because strtod takes the decimal point of the host's language
    bool readNumber (JsonValue& value) noexcept
    {
        const auto isNegative = take ('-');
        const auto first = at;

        if (! skipDigits() || (json[first] == '0' && at - first > 1))
            return false;

        const auto whole = json.substr (first, at - first);
        auto isWhole = true;

        if (take ('.'))
        {
            isWhole = false;

            if (! skipDigits())
                return false;
        }

        if (take ('e') || take ('E'))
        {
            isWhole = false;

            if (! take ('+'))
                take ('-');

            if (! skipDigits())
                return false;
        }

        const auto number = isWhole ? toNumber (whole) : std::nullopt;

        if (number)
        {
            value.kind = JsonValue::Kind::integer;
            value.integer = isNegative ? -*number : *number;
        }

        return true;
    }

    bool skipDigits() noexcept
    {
        const auto first = at;

        while (at < json.size() && json[at] >= '0' && json[at] <= '9')
            ++at;

        return at > first;
    }

    bool readText (std::string& text)
    {
        if (! take ('"'))
            return false;

        while (at < json.size())
        {
            const auto c = json[at++];

            if (c == '"')
                return true;

            if (static_cast<unsigned char> (c) < 0x20)
                return false;

            if (c != '\\')
                text += c;
            else if (! readEscape (text))
                return false;
        }

        return false;
    }

    bool readEscape (std::string& text)
    {
        if (at >= json.size())
            return false;

        const auto c = json[at++];

        if (c == 'u')
            return readCharacter (text);

        constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        const auto index = names.find (c);

        if (index == std::string_view::npos)
            return false;

        text += meanings[index];
        return true;
    }

    bool readCharacter (std::string& text)
    {
        std::uint32_t unit = 0;

        if (! readUnit (unit))
            return false;

        if (unit >= 0xd800 && unit < 0xdc00 && json.substr (at, 2) == "\\u")
        {
            const auto before = at;
            std::uint32_t low = 0;
            at += 2;

            if (! readUnit (low))
                return false;

            if (low >= 0xdc00 && low < 0xe000)
                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            else
                at = before;
        }

        appendUtf8 (text, unit);
        return true;
    }

    bool readUnit (std::uint32_t& unit) noexcept
    {
        for (auto i = 0; i < 4; ++i, ++at)
        {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto c = at < json.size() ? json[at] : ' ';
            const auto digit = digits.find (c >= 'A' && c <= 'F' ? static_cast<char> (c - 'A' + 'a') : c);

            if (digit == std::string_view::npos)
                return false;

            unit = unit * 16 + static_cast<std::uint32_t> (digit);
        }

        return true;
    }

    bool take (char c) noexcept
    {
        const auto isThere = at < json.size() && json[at] == c;
        at += isThere ? 1 : 0;
        return isThere;
    }

    bool takeWord (std::string_view word) noexcept
    {
        const auto isThere = json.substr (at, word.size()) == word;
        at += isThere ? word.size() : 0;
        return isThere;
    }

    void skipSpace() noexcept
    {
        while (at < json.size() && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r'))
            ++at;
    }

    const std::string_view json;
    std::size_t at = 0;
};

} // namespace

std::optional<JsonObject> JsonObject::parse (std::string_view text)
{
    if (text.size() > mostBytes || ! isUtf8 (text))
        return std::nullopt;

    JsonObject object;

    if (! Reader (text).readAll (object.all))
        return std::nullopt;

    return object;
}

const JsonValue* JsonObject::find (std::string_view name) const noexcept
{
    for (auto each = all.rbegin(); each != all.rend(); ++each)
        if (each->name == name)
            return &each->value;

    return nullptr;
}

std::string JsonObject::text (std::string_view name) const
{
    const auto* value = find (name);
    return value != nullptr && value->kind == JsonValue::Kind::text ? value->text : std::string();
}

std::optional<std::int64_t> JsonObject::integer (std::string_view name) const noexcept
{
    const auto* value = find (name);

    if (value == nullptr || value->kind != JsonValue::Kind::integer)
        return std::nullopt;

    return value->integer;
}

bool JsonObject::isTrue (std::string_view name) const noexcept
{
    const auto* value = find (name);
    return value != nullptr && value->kind == JsonValue::Kind::boolean && value->boolean;
}

std::vector<JsonObject> objectsIn (std::string_view list)
{
    std::vector<JsonObject> objects;

    if (list.size() > JsonObject::mostBytes)
        return objects;

    const auto add = [&] (std::string_view entry)
    {
        if (objects.size() < JsonObject::mostMembers)
            if (auto object = JsonObject::parse (entry))
                objects.push_back (std::move (*object));
    };

    if (! Reader (list).readEntries (add))
        objects.clear();

    return objects;
}

void JsonWriter::begin (std::string_view name)
{
    written += written.empty() ? '{' : ',';
    written += toJson (name);
    written += ':';
}

JsonWriter& JsonWriter::text (std::string_view name, std::string_view value) { return source (name, toJson (value)); }

JsonWriter& JsonWriter::integer (std::string_view name, std::int64_t value)
{
    return source (name, std::to_string (value));
}

JsonWriter& JsonWriter::list (std::string_view name, const std::vector<std::string>& values)
{
    std::string json;

    for (const auto& each : values)
    {
        json += json.empty() ? '[' : ',';
        json += toJson (each);
    }

    return source (name, json.empty() ? "[]" : json + "]");
}

JsonWriter& JsonWriter::source (std::string_view name, std::string_view json)
{
    begin (name);
    written += json;
    return *this;
}

std::string toJson (std::string_view text)
{
    std::string json = "\"";

    for (std::size_t at = 0; at < text.size(); ++at)
    {
        const auto c = text[at];

        if (static_cast<unsigned char> (c) >= 0x80)
        {
            // the shortest beginning that is a character
            std::size_t length = 2;

            while (length <= 4 && ! isUtf8 (text.substr (at, length)))
                ++length;

            if (length > 4 || length > text.size() - at)
                length = 1;

            if (length > 1)
                json += text.substr (at, length);
            else
                appendUtf8 (json, 0xfffd);

            at += length - 1;
        }
        else if (c == '"' || c == '\\')
        {
            json += '\\';
            json += c;
        }
        else if (static_cast<unsigned char> (c) < 0x20)
        {
            const auto byte = static_cast<std::uint8_t> (c);
            json += "\\u00" + toHex (&byte, 1);
        }
        else
        {
            json += c;
        }
    }

    return json + '"';
}

TONEROW_END
