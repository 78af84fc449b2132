// SPDX-License-Identifier: ISC
#include "check.h"
#include "support.h"

#include <tonerow/sha256.h>
#include <tonerow/store.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace support;

namespace
{

constexpr auto sealKey = "seal";

Store::Settings settingsIn (const std::string& home, int lockMilliseconds = 200)
{
    Store::Settings settings;
    settings.places.user = home;
    settings.places.machine = home + "-all";
    settings.developer = "Ada Audio";
    settings.product = "product-1";
    settings.sealKey = sealKey;
    settings.lockMilliseconds = lockMilliseconds;
    return settings;
}

Change setting (std::string_view name, std::string_view value)
{
    Change change;
    change.set.setText (name, value);
    return change;
}

unsigned modeOf (const std::string& path)
{
    struct stat info = {};
    return stat (path.c_str(), &info) == 0 ? info.st_mode & 0777u : 0;
}

/** A record as this version writes it, of any version. */
std::string sealed (const std::string& json) { return json + "\n" + hmacSha256Hex (sealKey, json) + "\n"; }

struct Environment
{
    Environment (const char* n, const char* value) : name (n)
    {
        if (const auto* old = std::getenv (name))
            before = old;

        if (value != nullptr)
            setenv (name, value, 1);
        else
            unsetenv (name);
    }

    ~Environment() { setenv (name, before.c_str(), 1); }

    const char* const name;
    std::string before;
};

bool isSaved (Saved saved) { return saved == Saved::yes; }

} // namespace

TEST ("store: what is written is read, by others too, and only its owner may")
{
    const Folder folder;
    Store store (settingsIn (folder.path + "/home"));
    CHECK (store.read().isEmpty());
    const auto before = store.stamp();
    CHECK (isSaved (store.update (setting (field::serial, "AAAA"))));
    CHECK (store.stamp() != before);
    Store other (settingsIn (folder.path + "/home"));
    EQUAL (other.read().text (field::serial), "AAAA");
    EQUAL (modeOf (store.path()), 0600u);
    EQUAL (modeOf (folder.path + "/home/Tonerow"), 0700u);
    EQUAL (modeOf (folder.path + "/home/Tonerow/Ada Audio"), 0700u);
    CHECK (isSaved (store.update (setting (field::token, "t"))));
    EQUAL (modeOf (store.path() + ".bak"), 0600u);
    EQUAL (readText (store.path() + ".bak").find ("\"token\""), std::string::npos);
    CHECK (! exists (store.path() + ".tmp") && ! exists (store.path() + ".bak.tmp"));
}

TEST ("store: the places are those of the system")
{
    const Folder folder;
    {
        const Environment config ("XDG_CONFIG_HOME", folder.path.c_str());
        EQUAL (Places::ofThisSystem().user, folder.path);
    }
    {
        const Environment config ("XDG_CONFIG_HOME", "relative");
        const Environment home ("HOME", "/home/ada");
        EQUAL (Places::ofThisSystem().user, "/home/ada/.config");
    }
    const Environment config ("XDG_CONFIG_HOME", nullptr);
    const Environment home ("HOME", "");
    CHECK (Places::ofThisSystem().user.find ("/.config") != std::string::npos);
}

TEST ("store: two hosts that write what they know lose nothing of each other's")
{
    const Folder folder;
    Store one (settingsIn (folder.path)), other (settingsIn (folder.path));
    CHECK (one.read().isEmpty() && other.read().isEmpty());
    CHECK (isSaved (one.update (setting (field::token, "activated"))));
    CHECK (isSaved (other.update (setting (field::trial, "tried"))));
    CHECK (isSaved (other.update (setting (field::lease, "lent"))));
    EQUAL (one.read().text (field::token) + one.read().text (field::trial) + one.read().text (field::lease),
           "activatedtriedlent");
}

TEST ("store: what is about one serial does not touch another that came meanwhile")
{
    const Folder folder;
    Store store (settingsIn (folder.path));
    store.update (setting (field::serial, "NEW"));
    auto change = setting (field::ended, "revoked");
    change.isForSerial = true;
    change.serial = "OLD";
    CHECK (store.update (change) == Saved::refused);
    EQUAL (store.read().text (field::ended), "");
}

TEST ("store: what an edit or a power cut leaves is kept, and the backup is read")
{
    for (const std::string broken :
         { "", "{", "{}", "\xff\xfe", "{\"format\":1,\"serial\":\"AAAA\"}\nwrong seal\n", "{\"format\":\"1\"}" })
    {
        const Folder folder;
        Store store (settingsIn (folder.path));
        store.update (setting (field::serial, "AAAA"));
        store.update (setting (field::token, "t"));
        writeText (store.path(), broken);
        EQUAL (store.read().text (field::serial), "AAAA");
        // nothing is changed by reading
        EQUAL (readText (store.path()), broken);
        CHECK (isSaved (store.update (setting (field::lease, "l"))));
        EQUAL (readText (store.path() + ".unreadable-1"), broken);
        EQUAL (store.read().text (field::serial) + store.read().text (field::lease), "AAAAl");
        // a good one is still behind it
        CHECK (readText (store.path() + ".bak").find ("AAAA") != std::string::npos);
    }
}

TEST ("store: a file without its newest time is no file")
{
    const Folder folder;
    Store store (settingsIn (folder.path));
    Change change = setting (field::token, "t");
    change.set.setInteger (field::seen, 1000);
    store.update (change);
    auto text = readText (store.path());
    text.erase (text.find ("\"seen\":1000,"), 12);
    writeText (store.path(), text);
    CHECK (store.read().isEmpty());
}

TEST ("store: a file of a newer version is kept, and this one writes beside it")
{
    const Folder folder;
    Store store (settingsIn (folder.path));
    store.update (setting (field::serial, "AAAA"));
    store.update (setting (field::token, "t"));
    const std::string newer = "{\"format\":2,\"all\":\"new\"}\nanother seal\n";
    writeText (store.path(), newer);
    EQUAL (store.read().text (field::serial), "AAAA");
    CHECK (isSaved (store.update (setting (field::serial, "BBBB"))));
    EQUAL (readText (store.path()), newer);
    Store again (settingsIn (folder.path));
    EQUAL (again.read().text (field::serial), "BBBB");
    CHECK (isSaved (again.update (setting (field::token, "u"))));
    EQUAL (readText (store.path()), newer);
}

TEST ("store: values that this version does not know stay")
{
    const Folder folder;
    Store store (settingsIn (folder.path));
    store.update (setting (field::serial, "AAAA"));
    writeText (store.path(), sealed ("{\"format\":1,\"serial\":\"AAAA\",\"later\":{\"a\":[1,2.5]}}"));
    CHECK (isSaved (store.update (setting (field::token, "t"))));
    CHECK (readText (store.path()).find ("\"later\":{\"a\":[1,2.5]}") != std::string::npos);
}

TEST ("store: the newest time never becomes less, but by the server")
{
    const Folder folder;
    Store store (settingsIn (folder.path));
    const auto see = [&] (Seconds time, bool isTrue)
    {
        Change change;
        change.set.setInteger (field::seen, time);
        change.isTrueTime = isTrue;
        store.update (change);
        return store.read().integer (field::seen);
    };
    EQUAL (see (1000, false), 1000);
    EQUAL (see (500, false), 1000);
    EQUAL (see (600, true), 600);
    EQUAL (see (700, false), 700);
}

TEST ("store: a lock that somebody holds is waited for 200 ms, and readers do not see it")
{
    const Folder folder;
    Store store (settingsIn (folder.path)), other (settingsIn (folder.path));
    store.update (setting (field::serial, "AAAA"));
    const auto lock = open ((store.path() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
    CHECK (lock >= 0 && flock (lock, LOCK_EX) == 0);
    auto begin = steadyMilliseconds();
    EQUAL (store.read().text (field::serial), "AAAA");
    CHECK (steadyMilliseconds() - begin < 20);
    begin = steadyMilliseconds();
    CHECK (store.update (setting (field::token, "t")) == Saved::inMemory);
    const auto waited = steadyMilliseconds() - begin;
    CHECK (waited >= 200 && waited < 400);
    // for this session it holds, with the reason
    EQUAL (store.read().text (field::token), "t");
    EQUAL (other.read().text (field::token), "");
    EQUAL (store.trouble().reason, "another program is writing");
    CHECK (store.trouble().problem == FileProblem::inUse);
    close (lock);
    // and is written with the next change
    CHECK (isSaved (store.update (setting (field::trial, "x"))));
    EQUAL (other.read().text (field::token), "t");
    CHECK (store.trouble().isNone());
}

TEST ("store: the waiting ends when the plugin is closed")
{
    const Folder folder;
    auto settings = settingsIn (folder.path, 60000);
    std::atomic<bool> stop { true };
    settings.stop = &stop;
    Store first (settingsIn (folder.path));
    first.update (setting (field::serial, "AAAA"));
    const auto lock = open ((first.path() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
    CHECK (flock (lock, LOCK_EX) == 0);
    Store store (settings);
    const auto begin = steadyMilliseconds();
    CHECK (store.update (setting (field::token, "t")) == Saved::inMemory);
    CHECK (steadyMilliseconds() - begin < 100);
    close (lock);
}

TEST ("store: two modules of one process exclude each other")
{
    const Folder folder;
    FileLock one, other;
    CHECK (one.take (folder.path + "/lock", 0));
    CHECK (! other.take (folder.path + "/lock", 20));
}

TEST ("store: a change that waits is for its own serial alone")
{
    const Folder folder;
    Store store (settingsIn (folder.path, 0)), other (settingsIn (folder.path));
    other.update (setting (field::serial, "OLD"));
    const auto lock = open ((store.path() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
    CHECK (flock (lock, LOCK_EX) == 0);
    auto change = setting (field::token, "of the old one");
    change.isForSerial = true;
    change.serial = "OLD";
    CHECK (store.update (change) == Saved::inMemory);
    close (lock);
    auto activation = setting (field::serial, "NEW");
    activation.set.setText (field::token, "of the new one");
    CHECK (isSaved (other.update (activation)));
    CHECK (isSaved (store.update (setting (field::trial, "x"))));
    EQUAL (other.read().text (field::token), "of the new one");
}

TEST ("store: where nothing can be written, the session goes on, and the path is named")
{
    // a file where a folder has to be: for root, too
    const Folder folder;
    writeText (folder.path + "/file", "x");
    Store blocked (settingsIn (folder.path + "/file"));
    CHECK (blocked.update (setting (field::token, "t")) == Saved::inMemory);
    EQUAL (blocked.read().text (field::token), "t");
    CHECK (blocked.trouble().path.find (folder.path + "/file") == 0);
    CHECK (! blocked.trouble().isNone());

    auto nowhere = settingsIn ("");
    nowhere.places.trouble = "This account has no home folder.";
    Store homeless (nowhere);
    CHECK (homeless.update (setting (field::token, "t")) == Saved::inMemory);
    EQUAL (homeless.read().text (field::token), "t");
    EQUAL (homeless.trouble().reason, "This account has no home folder.");
    CHECK (homeless.trouble().problem == FileProblem::noPlace);
    EQUAL (homeless.stamp(), 0u);
}

TEST ("store: a home beyond ASCII is a home")
{
    const Folder folder;
    Store store (settingsIn (folder.path + "/Größe 音 \xf0\x9f\x8e\xb9"));
    CHECK (isSaved (store.update (setting (field::serial, "AAAA"))));
    EQUAL (Store (settingsIn (folder.path + "/Größe 音 \xf0\x9f\x8e\xb9")).read().text (field::serial), "AAAA");
}

TEST ("store: no link leads a write to another file")
{
    const Folder folder;
    Store store (settingsIn (folder.path));
    store.update (setting (field::serial, "AAAA"));
    writeText (folder.path + "/victim", "precious");
    unlink ((store.path() + ".lock").c_str());
    CHECK (symlink ((folder.path + "/victim").c_str(), (store.path() + ".tmp").c_str()) == 0);
    CHECK (symlink ((folder.path + "/victim").c_str(), (store.path() + ".lock").c_str()) == 0);
    CHECK (store.update (setting (field::token, "t")) == Saved::inMemory);
    unlink ((store.path() + ".lock").c_str());
    CHECK (isSaved (store.update (setting (field::token, "t"))));
    EQUAL (readText (folder.path + "/victim"), "precious");
}

TEST ("store: a claim is one host's")
{
    const Folder folder;
    Store one (settingsIn (folder.path)), other (settingsIn (folder.path));
    Change claim;
    claim.set.setInteger (field::nextCheck, 2000);
    claim.onlyIf = [] (const Record& record) { return record.integer (field::nextCheck) <= 1000; };
    CHECK (isSaved (one.update (claim)));
    CHECK (other.update (claim) == Saved::refused);
    const auto lock = open ((one.path() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
    CHECK (flock (lock, LOCK_EX) == 0);
    claim.onlyIf = [] (const Record&) { return true; };
    CHECK (other.update (claim) == Saved::busy);
    close (lock);
}

TEST ("store: the copy for all users is read as it is")
{
    const Folder folder;
    Store store (settingsIn (folder.path + "/home"));
    EQUAL (store.machineWideText(), "");
    writeText (folder.path + "/home-all/Tonerow/Ada Audio/product-1.lic", "text");
    EQUAL (store.machineWideText(), "text");
}

// kill -9 at any moment: TONEROW_KILLS says how often
TEST ("store: whatever ends a process while it writes, a record is readable, and no rest is left")
{
    const Folder folder;
    const auto* wanted = std::getenv ("TONEROW_KILLS");
    const auto kills = wanted != nullptr ? std::atoi (wanted) : 100;
    Store reader (settingsIn (folder.path));
    reader.update (setting (field::serial, "AAAA"));
    auto lost = 0, written = 0;

    for (auto i = 0; i < kills; ++i)
    {
        int started[2];
        CHECK (pipe (started) == 0);
        const auto child = fork();

        if (child == 0)
        {
            Store store (settingsIn (folder.path));

            for (auto number = 0;; ++number)
            {
                store.update (setting (field::token, std::string (static_cast<std::size_t> (1000 + number % 3), 'x')));

                if (number == 0)
                    close (started[1]);
            }
        }

        // a busy machine may start it late: the moments to end it count from its first record
        close (started[1]);
        char none = 0;
        CHECK (read (started[0], &none, 1) == 0);
        close (started[0]);
        usleep (static_cast<useconds_t> (300 + (i * 7919) % 3000));
        kill (child, SIGKILL);
        waitpid (child, nullptr, 0);
        const auto record = reader.read();
        lost += record.text (field::serial) != "AAAA" ? 1 : 0;
        written += record.text (field::token).empty() ? 0 : 1;
    }

    EQUAL (lost, 0);
    EQUAL (written, kills);
    CHECK (isSaved (reader.update (setting (field::token, "at last"))));
    CHECK (filesIn (folder.path + "/Tonerow/Ada Audio").size() <= 4);
}
