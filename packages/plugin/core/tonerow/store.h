// SPDX-License-Identifier: ISC
// What a computer remembers of one product: a file per developer and product, shared by all plugins and hosts.
//
// Readers take no lock and never wait. Writers read, change and write under one lock, and start from the file, never
// from what they remember: two hosts that write at once lose nothing. What cannot be read is kept under another name.
#pragma once

#include "base.h"
#include "files.h"

#include <functional>
#include <map>
#include <mutex>
#include <string_view>

TONEROW_BEGIN

/** Named values as JSON. Those that this version does not know are kept as they are. */
class Record
{
public:
    std::string text (std::string_view name) const;
    std::int64_t integer (std::string_view name) const;
    std::vector<std::string> list (std::string_view name) const;

    void setText (std::string_view name, std::string_view value);
    void setInteger (std::string_view name, std::int64_t value);
    void setList (std::string_view name, const std::vector<std::string>& values);
    void remove (std::string_view name);

    bool isEmpty() const noexcept { return values.empty(); }

    bool operator== (const Record& other) const { return values == other.values; }

private:
    friend struct Change;
    friend class StoreFormat;

    std::map<std::string, std::string, std::less<>> values; // as JSON
};

/** Names of what a record has. */
namespace field
{
constexpr char serial[] = "serial", token[] = "token", trial[] = "trial", lease[] = "lease";
constexpr char machine[] = "machine";   // the id that holds the seat
constexpr char machines[] = "machines"; // all ids that this computer had then
constexpr char ownId[] = "own_id";      // of a computer that has no id
constexpr char seen[] = "seen";         // the newest time at which the license was good: only the server makes it less
constexpr char clock[] = "clock", server[] = "server"; // both clocks at the last genuine answer
constexpr char nextCheck[] = "next_check";
constexpr char forGood[] = "for_good"; // an unlock for good: nothing takes it away
constexpr char update[] = "update";    // what the server said of the newest version
constexpr char nextUpdate[] = "next_update";
constexpr char ended[] = "ended";                  // the status that ended the license here
constexpr char endedSerial[] = "ended_serial";     // which one that was, by its id
constexpr char releaseSecret[] = "release_secret"; // shows that a license file was released here
constexpr char released[] = "released";            // hashes of the secrets whose license files this computer gave up
constexpr char releaseProof[] = "release_proof";   // of the last of them, to be saved once more
constexpr char seatsUsed[] = "seats_used", seatsMax[] = "seats_max";
} // namespace field

/** What is to be different. It is applied to what the file has at that moment, perhaps later and more than once. */
struct Change
{
    Record set;
    std::vector<std::string> removed;
    /** Its `seen` is the server's time, and counts even if it is less. */
    bool isTrueTime = false;
    /** Only while the record is about this serial: another host may have activated another one. */
    bool isForSerial = false;
    std::string serial;
    /** Only if this is true of what the file has. Such a change is not kept for later. */
    std::function<bool (const Record&)> onlyIf;

    /** False when it does not apply to this record. */
    bool applyTo (Record&) const;

    /** Makes this one do both, the newer one last. False when they are about different things. */
    bool add (const Change& newer);
};

enum class Saved
{
    yes,
    refused, // it does not apply to what the file has
    busy,    // others were writing all the time, and a change with a condition cannot be kept for later
    inMemory // it could not be written, holds for this session, and is tried again with the next one
};

class Store
{
public:
    struct Settings
    {
        Places places;
        std::string developer; // name of a folder
        std::string product;   // name of the file: an id, because names change
        std::string sealKey;
        int lockMilliseconds = 200;
        const std::atomic<bool>* stop = nullptr; // ends the waiting for a lock
    };

    explicit Store (Settings);

    /** The newest that can be read, with what could not be written. Takes no lock, and does not wait. */
    Record read();

    Saved update (const Change&);

    /** The text of the copy for all users of this computer, which an administrator put there; often empty. */
    std::string machineWideText() const;

    /** Changes when another host has written. */
    std::uint64_t stamp() const noexcept;

    /** Why the last change is in memory alone, or why there is no place at all. */
    FileTrouble trouble() const;

    /** For support and tests. */
    const std::string& path() const noexcept { return file; }

private:
    struct Found
    {
        Record record;
        bool isNewer = false;      // a version that this one does not know
        bool isUnreadable = false; // it is there and no record
    };

    Found readOne (const std::string& path) const;
    Record readBest (bool& isNewer, bool& isUnreadable) const;
    void applyPending (Record&) const;
    Saved keep (const Change&, FileTrouble);

    const Settings settings;
    std::string folder, file;

    mutable std::mutex mutex;    // of what follows
    std::vector<Change> pending; // what could not be written
    FileTrouble why;
};

TONEROW_END
