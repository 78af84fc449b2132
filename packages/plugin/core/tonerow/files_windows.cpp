// SPDX-License-Identifier: ISC
#if defined(_WIN32)

    #include "files.h"
    #include "system.h"

    #ifndef NOMINMAX
        #define NOMINMAX
    #endif
    #ifndef WIN32_LEAN_AND_MEAN
        #define WIN32_LEAN_AND_MEAN
    #endif
    #include <windows.h>

    #include <knownfolders.h>
    #include <objbase.h>
    #include <shlobj.h>
    #include <utility>

TONEROW_BEGIN

namespace
{

std::wstring toWide (const std::string& text)
{
    const auto size = static_cast<int> (text.size());
    const auto length = MultiByteToWideChar (CP_UTF8, 0, text.data(), size, nullptr, 0);
    std::wstring wide (static_cast<std::size_t> (length), L'\0');
    MultiByteToWideChar (CP_UTF8, 0, text.data(), size, wide.data(), length);
    return wide;
}

std::string fromWide (const wchar_t* text)
{
    const auto length = WideCharToMultiByte (CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);

    if (length <= 1)
        return {};

    std::string narrow (static_cast<std::size_t> (length), '\0');
    WideCharToMultiByte (CP_UTF8, 0, text, -1, narrow.data(), length, nullptr, nullptr);
    narrow.pop_back();
    return narrow;
}

FileTrouble troubleWith (const std::string& path)
{
    const auto code = GetLastError();
    wchar_t words[256] = {};
    FormatMessageW (FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK,
                    nullptr,
                    code,
                    0,
                    words,
                    256,
                    nullptr);
    const auto text = fromWide (words);
    const auto problem = code == ERROR_ACCESS_DENIED                                 ? FileProblem::denied
                         : code == ERROR_WRITE_PROTECT                               ? FileProblem::readOnly
                         : code == ERROR_DISK_FULL || code == ERROR_HANDLE_DISK_FULL ? FileProblem::full
                         : code == ERROR_SHARING_VIOLATION                           ? FileProblem::inUse
                         : code == ERROR_DIRECTORY                                   ? FileProblem::notAFolder
                                                                                     : FileProblem::other;
    return { path, text.empty() ? "error " + std::to_string (code) : text, problem };
}

class OpenFile
{
public:
    OpenFile (const std::string& path, DWORD access, DWORD share, DWORD how) noexcept :
        handle (CreateFileW (toWide (path).c_str(), access, share, nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr))
    {
    }

    ~OpenFile() { close(); }

    OpenFile (const OpenFile&) = delete;
    OpenFile& operator= (const OpenFile&) = delete;

    bool isOpen() const noexcept { return handle != INVALID_HANDLE_VALUE; }

    void close() noexcept
    {
        if (isOpen())
            CloseHandle (std::exchange (handle, INVALID_HANDLE_VALUE));
    }

    HANDLE handle;
};

constexpr DWORD shareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::string folderOf (const std::string& path)
{
    const auto slash = path.find_last_of ("\\/");
    return slash == std::string::npos ? std::string() : path.substr (0, slash);
}

std::string known (const KNOWNFOLDERID& id)
{
    PWSTR path = nullptr;
    std::string folder;

    if (SHGetKnownFolderPath (id, KF_FLAG_DEFAULT, nullptr, &path) == S_OK)
        folder = fromWide (path);

    CoTaskMemFree (path);
    return folder;
}

} // namespace

FileText readFile (const std::string& path, std::size_t mostBytes)
{
    FileText result;
    const OpenFile file (path, GENERIC_READ, shareAll, OPEN_EXISTING);

    if (! file.isOpen())
    {
        const auto code = GetLastError();
        const auto isMissing = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND;
        result.presence = isMissing ? Presence::missing : Presence::unreadable;

        if (! isMissing)
            result.trouble = troubleWith (path);

        return result;
    }

    result.presence = Presence::unreadable;

    if (GetFileType (file.handle) != FILE_TYPE_DISK)
    {
        result.trouble = { path, "not a file", FileProblem::notAFile };
        return result;
    }

    char buffer[4096];

    for (;;)
    {
        DWORD got = 0;

        if (! ReadFile (file.handle, buffer, sizeof (buffer), &got, nullptr))
        {
            result.trouble = troubleWith (path);
            return result;
        }

        if (got == 0)
            break;

        result.text.append (buffer, got);

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
    const auto attributes = GetFileAttributesW (toWide (path).c_str());

    if (attributes != INVALID_FILE_ATTRIBUTES)
        return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0
                   ? FileTrouble {}
                   : FileTrouble { path, "not a folder", FileProblem::notAFolder };

    const auto above = folderOf (path);

    if (above.empty() || above == path)
        return { path, "not a folder", FileProblem::notAFolder };

    const auto trouble = makeFolder (above);

    if (! trouble.isNone())
        return trouble;

    // LocalAppData is its user's already
    if (! CreateDirectoryW (toWide (path).c_str(), nullptr) && GetLastError() != ERROR_ALREADY_EXISTS)
        return troubleWith (path);

    return {};
}

FileTrouble replaceFile (const std::string& path, const std::string& backup, const std::string& text)
{
    const auto scratch = path + ".tmp";
    OpenFile file (scratch, GENERIC_WRITE, 0, CREATE_ALWAYS);

    if (! file.isOpen())
        return troubleWith (scratch);

    DWORD written = 0;
    const auto size = static_cast<DWORD> (text.size());
    const auto isWritten = WriteFile (file.handle, text.data(), size, &written, nullptr) && written == size
                           && FlushFileBuffers (file.handle);
    auto trouble = isWritten ? FileTrouble {} : troubleWith (scratch);
    file.close();

    const auto wide = toWide (path), from = toWide (scratch);

    if (isWritten && ! ReplaceFileW (wide.c_str(), from.c_str(), toWide (backup).c_str(), 0, nullptr, nullptr)
        && ! MoveFileExW (from.c_str(), wide.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        trouble = troubleWith (path);

    if (! trouble.isNone())
        DeleteFileW (from.c_str());

    return trouble;
}

FileTrouble setAside (const std::string& path)
{
    for (auto number = 1; number <= 9; ++number)
    {
        if (MoveFileW (toWide (path).c_str(), toWide (path + ".unreadable-" + std::to_string (number)).c_str()))
            return {};

        if (GetLastError() != ERROR_ALREADY_EXISTS)
            return troubleWith (path);
    }

    return { path, "too many unreadable files beside it" };
}

std::uint64_t stampOf (const std::string& path) noexcept
{
    const OpenFile file (path, FILE_READ_ATTRIBUTES, shareAll, OPEN_EXISTING);
    BY_HANDLE_FILE_INFORMATION info {};

    if (! file.isOpen() || ! GetFileInformationByHandle (file.handle, &info))
        return 0;

    const auto pair = [] (DWORD high, DWORD low) { return static_cast<std::uint64_t> (high) << 32 | low; };
    const auto stamp = pair (info.nFileIndexHigh, info.nFileIndexLow) * 1000003u
                       ^ pair (info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime)
                       ^ static_cast<std::uint64_t> (info.nFileSizeLow) << 48;
    return stamp == 0 ? 1 : stamp;
}

FileLock::~FileLock() { release(); }

bool FileLock::take (const std::string& path, int milliseconds, const std::atomic<bool>* stop)
{
    release();
    isHeld = false;
    const auto handle = CreateFileW (toWide (path).c_str(),
                                     GENERIC_READ | GENERIC_WRITE,
                                     shareAll,
                                     nullptr,
                                     OPEN_ALWAYS,
                                     FILE_ATTRIBUTE_NORMAL,
                                     nullptr);

    if (handle == INVALID_HANDLE_VALUE)
    {
        why = troubleWith (path);
        return false;
    }

    const auto until = steadyMilliseconds() + milliseconds;
    OVERLAPPED whole {};

    while (! LockFileEx (handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &whole))
    {
        isHeld = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING;

        if (! isHeld || steadyMilliseconds() >= until || (stop != nullptr && *stop))
        {
            why = isHeld ? FileTrouble { path, "another program is writing", FileProblem::inUse } : troubleWith (path);
            CloseHandle (handle);
            return false;
        }

        sleepMilliseconds (2);
    }

    isHeld = false;
    why = {};
    file = reinterpret_cast<std::intptr_t> (handle);
    return true;
}

void FileLock::release() noexcept
{
    if (file != -1)
        CloseHandle (reinterpret_cast<HANDLE> (std::exchange (file, -1)));
}

Places Places::ofThisSystem()
{
    Places places;
    places.user = known (FOLDERID_LocalAppData);
    places.machine = known (FOLDERID_ProgramData);

    if (places.user.empty())
        places.trouble = "This account has no folder for application data.";

    return places;
}

std::string joined (const std::string& folder, const std::string& name)
{
    return folder.empty() || folder.back() == '\\' ? folder + name : folder + "\\" + name;
}

TONEROW_END

#endif
