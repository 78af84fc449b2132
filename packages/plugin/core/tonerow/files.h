// SPDX-License-Identifier: ISC
// Files that are whole or not there, in folders that only their owner reads. Names are UTF-8 on every system.
#pragma once

#include "base.h"

#include <atomic>

TONEROW_BEGIN

/** What went wrong, for a program that has words of its own for it. */
enum class FileProblem
{
    other, // only the system's words are known
    denied,
    readOnly,
    full,
    inUse,
    notAFile,
    notAFolder,
    tooLarge,
    noPlace // for this account there is no folder at all
};

/** What went wrong with which path, for people. */
struct FileTrouble
{
    std::string path;
    std::string reason; // in English, or the operating system's words
    FileProblem problem = FileProblem::other;

    bool isNone() const noexcept { return reason.empty(); }
};

enum class Presence
{
    present,
    missing,
    unreadable
};

struct FileText
{
    Presence presence = Presence::missing;
    std::string text;
    FileTrouble trouble;
};

/** Of at most so many bytes; more than that is unreadable. Neither a folder, nor a pipe, nor a device is read. */
FileText readFile (const std::string& path, std::size_t mostBytes);

/** Makes a folder and those above it, for their owner only (0700). */
FileTrouble makeFolder (const std::string& path);

/** Writes all of it to the disk in a file beside it, keeps the one that was there as `backup`, and puts the new one in
   its place: whoever reads at any moment, and whatever ends this process, finds the old one or the new one. 0600. */
FileTrouble replaceFile (const std::string& path, const std::string& backup, const std::string& text);

/** Gives a file another name that is not taken: nothing is ever deleted because it cannot be read. */
FileTrouble setAside (const std::string& path);

/** Changes with every replacement; 0 when there is no file. */
std::uint64_t stampOf (const std::string& path) noexcept;

/** Excludes other processes, and other modules of the same process: the system ties it to this one open file. It has to
   be released by whoever took it. */
class FileLock
{
public:
    FileLock() noexcept = default;
    ~FileLock();

    FileLock (const FileLock&) = delete;
    FileLock& operator= (const FileLock&) = delete;

    /** Waits so long at most, and no longer than until `stop` is true. False when others hold it, or it cannot be made;
     * `trouble` says which. */
    bool take (const std::string& path, int milliseconds, const std::atomic<bool>* stop = nullptr);

    const FileTrouble& trouble() const noexcept { return why; }

    /** Why it was not taken. */
    bool isHeldByOthers() const noexcept { return isHeld; }

private:
    void release() noexcept;

    bool isHeld = false;

    FileTrouble why;
    std::intptr_t file = -1;
};

/** Where a system keeps what belongs to one of its users, and to all of them. Empty where there is no such place. */
struct Places
{
    std::string user;
    std::string machine;
    std::string trouble; // why there is no place for the user

    static Places ofThisSystem();
};

/** With the system's separator. */
std::string joined (const std::string& folder, const std::string& name);

TONEROW_END
