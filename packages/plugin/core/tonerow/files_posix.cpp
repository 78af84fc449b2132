// SPDX-License-Identifier: ISC
#if ! defined(_WIN32)

    #include "files.h"
    #include "system.h"

    #include <cerrno>
    #include <cstdio>
    #include <cstdlib>
    #include <cstring>
    #include <fcntl.h>
    #include <memory>
    #include <pwd.h>
    #include <sys/file.h>
    #include <sys/stat.h>
    #include <unistd.h>
    #include <utility>

TONEROW_BEGIN

namespace
{

FileTrouble troubleWith (const std::string& path)
{
    const auto code = errno;
    char words[256] = {};

    #if defined(__GLIBC__) && defined(_GNU_SOURCE)
    const char* text = strerror_r (code, words, sizeof (words));
    #else
    const char* text = strerror_r (code, words, sizeof (words)) == 0 ? words : "";
    #endif

    const auto problem = code == EACCES || code == EPERM    ? FileProblem::denied
                         : code == EROFS                    ? FileProblem::readOnly
                         : code == ENOSPC || code == EDQUOT ? FileProblem::full
                         : code == ENOTDIR                  ? FileProblem::notAFolder
                                                            : FileProblem::other;
    return { path, *text != 0 ? std::string (text) : "error " + std::to_string (code), problem };
}

class OpenFile
{
public:
    OpenFile (const std::string& path, int flags) noexcept :
        handle (open (path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR))
    {
    }

    ~OpenFile()
    {
        if (handle >= 0)
            ::close (handle);
    }

    OpenFile (const OpenFile&) = delete;
    OpenFile& operator= (const OpenFile&) = delete;

    bool close() noexcept { return ::close (std::exchange (handle, -1)) == 0; }

    int handle;
};

bool writeAll (int file, const std::string& text) noexcept
{
    for (std::size_t at = 0; at < text.size();)
    {
        const auto written = write (file, text.data() + at, text.size() - at);

        if (written < 0 && errno == EINTR)
            continue;

        if (written <= 0)
            return false;

        at += static_cast<std::size_t> (written);
    }

    return true;
}

bool syncToDisk (int file) noexcept
{
    #if defined(__APPLE__)
    if (fcntl (file, F_FULLFSYNC) == 0)
        return true;
    #endif

    return fsync (file) == 0;
}

std::string folderOf (const std::string& path)
{
    const auto slash = path.rfind ('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr (0, slash);
}

/** The names in a folder outlive a power cut, too. Some file systems cannot do it, and then nothing is lost by that. */
void syncFolder (const std::string& path) noexcept
{
    const OpenFile folder (path, O_RDONLY | O_DIRECTORY);

    if (folder.handle >= 0)
        static_cast<void> (fsync (folder.handle));
}

/** Whatever the old content is called, it is never without a name. */
void keepAs (const std::string& path, const std::string& backup) noexcept
{
    const auto scratch = backup + ".tmp";
    unlink (scratch.c_str());

    if (link (path.c_str(), scratch.c_str()) == 0)
    {
        if (rename (scratch.c_str(), backup.c_str()) != 0)
            unlink (scratch.c_str());

        // of two names for one file, rename leaves both
        unlink (scratch.c_str());
    }
    else if (errno != ENOENT)
    {
        // no second names on this file system
        rename (path.c_str(), backup.c_str());
    }
}

std::string environment (const char* name)
{
    const auto* value = std::getenv (name);
    return value != nullptr ? value : "";
}

std::string homeFolder()
{
    auto home = environment ("HOME");

    if (! home.empty() && home.front() == '/')
        return home;

    passwd entry {}, *found = nullptr;
    char buffer[4096];

    if (getpwuid_r (getuid(), &entry, buffer, sizeof (buffer), &found) == 0 && found != nullptr
        && found->pw_dir != nullptr && found->pw_dir[0] == '/')
        return found->pw_dir;

    return {};
}

} // namespace

FileText readFile (const std::string& path, std::size_t mostBytes)
{
    FileText result;
    // a pipe would wait for somebody to write into it
    const OpenFile file (path, O_RDONLY | O_NONBLOCK);
    struct stat info = {};

    if (file.handle < 0 || fstat (file.handle, &info) != 0)
    {
        const auto isMissing = errno == ENOENT || errno == ENOTDIR;
        result.presence = isMissing ? Presence::missing : Presence::unreadable;

        if (! isMissing)
            result.trouble = troubleWith (path);

        return result;
    }

    result.presence = Presence::unreadable;

    if (! S_ISREG (info.st_mode))
    {
        result.trouble = { path, "not a file", FileProblem::notAFile };
        return result;
    }

    char buffer[4096];

    for (;;)
    {
        const auto got = read (file.handle, buffer, sizeof (buffer));

        if (got < 0 && errno == EINTR)
            continue;

        if (got < 0)
        {
            result.trouble = troubleWith (path);
            return result;
        }

        if (got == 0)
            break;

        result.text.append (buffer, static_cast<std::size_t> (got));

        if (result.text.size() > mostBytes)
        {
            result.text.clear();
            result.trouble = { path, "too large", FileProblem::tooLarge };
            return result;
        }
    }

    result.presence = Presence::present;
    return result;
}

FileTrouble makeFolder (const std::string& path)
{
    struct stat info = {};

    if (stat (path.c_str(), &info) == 0)
        return S_ISDIR (info.st_mode) ? FileTrouble {} : FileTrouble { path, "not a folder", FileProblem::notAFolder };

    if (path.empty() || path == "/" || path == ".")
        return { path, "not a folder", FileProblem::notAFolder };

    const auto above = makeFolder (folderOf (path));

    if (! above.isNone())
        return above;

    // another process may have been faster
    if (mkdir (path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return troubleWith (path);

    return {};
}

FileTrouble replaceFile (const std::string& path, const std::string& backup, const std::string& text)
{
    // whoever writes holds the lock, so what has this name was left behind by a process that was ended
    const auto scratch = path + ".tmp";
    unlink (scratch.c_str());
    OpenFile file (scratch, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);

    if (file.handle < 0)
        return troubleWith (scratch);

    const auto isWritten = writeAll (file.handle, text) && syncToDisk (file.handle) && file.close();

    if (isWritten)
        keepAs (path, backup);

    if (! isWritten || rename (scratch.c_str(), path.c_str()) != 0)
    {
        const auto trouble = troubleWith (path);
        unlink (scratch.c_str());
        return trouble;
    }

    syncFolder (folderOf (path));
    return {};
}

FileTrouble setAside (const std::string& path)
{
    for (auto number = 1; number <= 9; ++number)
    {
        const auto name = path + ".unreadable-" + std::to_string (number);

        // a second name first, because rename would replace what is there
        if (link (path.c_str(), name.c_str()) == 0)
            return unlink (path.c_str()) == 0 ? FileTrouble {} : troubleWith (path);

        if (errno != EEXIST)
        {
            struct stat info = {};
            const auto isFree = lstat (name.c_str(), &info) != 0;
            return isFree && rename (path.c_str(), name.c_str()) == 0 ? FileTrouble {} : troubleWith (path);
        }
    }

    return { path, "too many unreadable files beside it" };
}

std::uint64_t stampOf (const std::string& path) noexcept
{
    struct stat info = {};

    if (stat (path.c_str(), &info) != 0)
        return 0;

    #if defined(__APPLE__)
    const auto& time = info.st_mtimespec;
    #else
    const auto& time = info.st_mtim;
    #endif

    auto stamp = static_cast<std::uint64_t> (info.st_ino) * 1000003u;
    stamp ^= static_cast<std::uint64_t> (time.tv_sec) * 1000000007u;
    stamp ^= static_cast<std::uint64_t> (time.tv_nsec) * 31u;
    stamp ^= static_cast<std::uint64_t> (info.st_size) << 48;
    return stamp == 0 ? 1 : stamp;
}

FileLock::~FileLock() { release(); }

bool FileLock::take (const std::string& path, int milliseconds, const std::atomic<bool>* stop)
{
    release();
    isHeld = false;
    const auto handle = open (path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);

    if (handle < 0)
    {
        why = troubleWith (path);
        return false;
    }

    const auto until = steadyMilliseconds() + milliseconds;

    // of this open file, not of the process: two modules in one process exclude each other
    while (flock (handle, LOCK_EX | LOCK_NB) != 0)
    {
        isHeld = errno == EWOULDBLOCK;

        // a file system without locks: a license that is stored matters more than two hosts at the same moment
        if (! isHeld && errno != EINTR)
            break;

        if (steadyMilliseconds() >= until || (stop != nullptr && *stop))
        {
            why = { path, "another program is writing", FileProblem::inUse };
            ::close (handle);
            return false;
        }

        sleepMilliseconds (2);
    }

    isHeld = false;
    why = {};
    file = handle;
    return true;
}

void FileLock::release() noexcept
{
    if (file >= 0)
        ::close (static_cast<int> (std::exchange (file, -1)));
}

Places Places::ofThisSystem()
{
    Places places;
    const auto home = homeFolder();

    #if defined(__APPLE__)
    places.machine = "/Library/Application Support";

    if (! home.empty())
        places.user = home + "/Library/Application Support";
    #else
    const auto config = environment ("XDG_CONFIG_HOME");
    places.machine = "/etc/xdg";

    // the specification: a relative path is invalid and ignored
    if (! config.empty() && config.front() == '/')
        places.user = config;
    else if (! home.empty())
        places.user = home + "/.config";
    #endif

    if (places.user.empty())
        places.trouble = "This account has no home folder.";

    return places;
}

std::string joined (const std::string& folder, const std::string& name)
{
    return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

TONEROW_END

#endif
