// SPDX-License-Identifier: ISC
#include "store.h"

#include "json.h"
#include "sha256.h"
#include "text.h"

#include <algorithm>

TONEROW_BEGIN

namespace
{

constexpr std::int64_t formatVersion = 1;
constexpr char formatName[] = "format";
/** Far more than a record is. */
constexpr std::size_t mostBytes = 256 * 1024;

std::string backupOf (const std::string& path) { return path + ".bak"; }

/** Where this version writes while the file is of a newer one. */
std::string besideNewer (const std::string& path) { return path + "." + std::to_string (formatVersion); }

} // namespace

/** One line of JSON, and one with its seal: what is torn, or edited to win time, is no record. */
class StoreFormat
{
public:
    static std::string write (const Record& record, std::string_view sealKey)
    {
        JsonWriter writer;
        writer.integer (formatName, formatVersion);

        for (const auto& [name, value] : record.values)
            writer.source (name, value);

        const auto json = writer.finish();
        return json + "\n" + hmacSha256Hex (sealKey, json) + "\n";
    }

    enum class Outcome
    {
        read,
        newer,
        unreadable
    };

    static Outcome read (std::string_view text, std::string_view sealKey, Record& into)
    {
        const auto end = text.find ('\n');
        const auto json = text.substr (0, end);
        const auto object = JsonObject::parse (json);
        const auto version = object ? object->integer (formatName) : std::nullopt;

        if (! version || *version < 1)
            return Outcome::unreadable;

        if (*version > formatVersion)
            return Outcome::newer;

        if (end == std::string_view::npos || trimmed (text.substr (end)) != hmacSha256Hex (sealKey, json))
            return Outcome::unreadable;

        for (const auto& member : object->members())
            if (member.name != formatName)
                into.values[member.name] = member.value.source;

        return Outcome::read;
    }

    static JsonObject member (const std::string& source)
    {
        auto object = JsonObject::parse ("{\"a\":" + source + "}");
        return object ? std::move (*object) : JsonObject();
    }
};

std::string Record::text (std::string_view name) const
{
    const auto found = values.find (name);
    return found == values.end() ? std::string() : StoreFormat::member (found->second).text ("a");
}

std::int64_t Record::integer (std::string_view name) const
{
    const auto found = values.find (name);
    return found == values.end() ? 0 : StoreFormat::member (found->second).integer ("a").value_or (0);
}

std::vector<std::string> Record::list (std::string_view name) const
{
    std::vector<std::string> texts;
    auto all = text (name);

    for (std::string_view left = all; ! left.empty();)
    {
        const auto length = std::min (left.find (' '), left.size());

        if (length > 0)
            texts.emplace_back (left.substr (0, length));

        left.remove_prefix (std::min (length + 1, left.size()));
    }

    return texts;
}

void Record::setText (std::string_view name, std::string_view value)
{
    if (value.empty())
        remove (name);
    else
        values[std::string (name)] = toJson (value);
}

void Record::setInteger (std::string_view name, std::int64_t value)
{
    values[std::string (name)] = std::to_string (value);
}

void Record::setList (std::string_view name, const std::vector<std::string>& texts)
{
    std::string all;

    for (const auto& each : texts)
        all += (all.empty() ? "" : " ") + each;

    setText (name, all);
}

void Record::remove (std::string_view name)
{
    const auto found = values.find (name);

    if (found != values.end())
        values.erase (found);
}

bool Change::applyTo (Record& record) const
{
    if (isForSerial && record.text (field::serial) != serial)
        return false;

    if (onlyIf && ! onlyIf (record))
        return false;

    const auto seen =
        isTrueTime ? set.integer (field::seen) : std::max (record.integer (field::seen), set.integer (field::seen));

    for (const auto& name : removed)
        record.remove (name);

    for (const auto& [name, value] : set.values)
        record.values[name] = value;

    if (seen > 0)
        record.setInteger (field::seen, seen);

    return true;
}

bool Change::add (const Change& newer)
{
    if (isForSerial != newer.isForSerial || serial != newer.serial || onlyIf || newer.onlyIf
        || isTrueTime != newer.isTrueTime)
        return false;

    for (const auto& name : newer.removed)
    {
        set.remove (name);
        removed.push_back (name);
    }

    for (const auto& [name, value] : newer.set.values)
    {
        removed.erase (std::remove (removed.begin(), removed.end(), name), removed.end());
        set.values[name] = value;
    }

    return true;
}

Store::Store (Settings s) : settings (std::move (s))
{
    if (settings.places.user.empty())
    {
        why = { "",
                settings.places.trouble.empty() ? "There is no folder for it." : settings.places.trouble,
                FileProblem::noPlace };
        return;
    }

    folder = joined (joined (settings.places.user, "Tonerow"), toFileName (settings.developer));
    file = joined (folder, toFileName (settings.product) + ".lic");
}

Store::Found Store::readOne (const std::string& path) const
{
    Found found;
    const auto text = readFile (path, mostBytes);

    if (text.presence == Presence::missing)
        return found;

    const auto outcome = text.presence == Presence::present
                             ? StoreFormat::read (text.text, settings.sealKey, found.record)
                             : StoreFormat::Outcome::unreadable;
    found.isNewer = outcome == StoreFormat::Outcome::newer;
    found.isUnreadable = outcome == StoreFormat::Outcome::unreadable;
    return found;
}

Record Store::readBest (bool& isNewer, bool& isUnreadable) const
{
    isNewer = isUnreadable = false;

    if (file.empty())
        return {};

    auto main = readOne (file);
    isNewer = main.isNewer;
    isUnreadable = main.isUnreadable;

    if (! main.record.isEmpty())
        return main.record;

    if (isNewer)
    {
        const auto own = besideNewer (file);
        auto beside = readOne (own);
        isUnreadable = beside.isUnreadable;

        for (const auto& each : { own, backupOf (own) })
            if (auto found = readOne (each); ! found.record.isEmpty())
                return found.record;
    }

    return readOne (backupOf (file)).record;
}

Record Store::read()
{
    bool isNewer = false, isUnreadable = false;
    auto record = readBest (isNewer, isUnreadable);
    const std::lock_guard<std::mutex> hold (mutex);
    applyPending (record);
    return record;
}

void Store::applyPending (Record& record) const
{
    for (const auto& each : pending)
        each.applyTo (record);
}

/** What cannot be written holds for this session, and is tried again with the next change. */
Saved Store::keep (const Change& change, FileTrouble trouble)
{
    bool isNewer = false, isUnreadable = false;
    auto record = readBest (isNewer, isUnreadable);
    applyPending (record);
    why = std::move (trouble);

    if (! change.applyTo (record))
        return Saved::refused;

    constexpr std::size_t most = 16;

    if (! change.onlyIf && (pending.empty() || ! pending.back().add (change)))
        pending.push_back (change);

    if (pending.size() > most)
        pending.erase (pending.begin());

    return Saved::inMemory;
}

Saved Store::update (const Change& change)
{
    const std::lock_guard<std::mutex> hold (mutex);

    if (file.empty())
        return keep (change, why);

    auto trouble = makeFolder (folder);

    if (! trouble.isNone())
        return keep (change, trouble);

    FileLock lock;

    if (! lock.take (file + ".lock", settings.lockMilliseconds, settings.stop))
    {
        const auto kept = keep (change, lock.trouble());
        return kept == Saved::inMemory && change.onlyIf && lock.isHeldByOthers() ? Saved::busy : kept;
    }

    bool isNewer = false, isUnreadable = false;
    auto record = readBest (isNewer, isUnreadable);
    const auto before = record;
    applyPending (record);

    if (! change.applyTo (record))
        return Saved::refused;

    const auto target = isNewer ? besideNewer (file) : file;

    if (isUnreadable)
        trouble = setAside (target);

    if (trouble.isNone() && (isUnreadable || ! (record == before)))
        trouble = replaceFile (target, backupOf (target), StoreFormat::write (record, settings.sealKey));

    if (! trouble.isNone())
        return keep (change, trouble);

    pending.clear();
    why = {};
    return Saved::yes;
}

std::string Store::machineWideText() const
{
    if (settings.places.machine.empty())
        return {};

    const auto path = joined (joined (joined (settings.places.machine, "Tonerow"), toFileName (settings.developer)),
                              toFileName (settings.product) + ".lic");
    return readFile (path, mostBytes).text;
}

std::uint64_t Store::stamp() const noexcept
{
    return file.empty() ? 0 : stampOf (file) ^ (stampOf (besideNewer (file)) << 1);
}

FileTrouble Store::trouble() const
{
    const std::lock_guard<std::mutex> hold (mutex);
    return why;
}

TONEROW_END
