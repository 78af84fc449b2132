// SPDX-License-Identifier: ISC
#include "machine.h"

#include "files.h"
#include "sha256.h"
#include "text.h"

#include <algorithm>

#if defined(_WIN32)
    #ifndef NOMINMAX
        #define NOMINMAX
    #endif
    #ifndef WIN32_LEAN_AND_MEAN
        #define WIN32_LEAN_AND_MEAN
    #endif
    #include <windows.h>
#elif defined(__APPLE__)
    #include <ctime>
    #include <unistd.h>
#endif

TONEROW_BEGIN

namespace
{

char lowered (char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char> (c - 'A' + 'a') : c; }

/** Letters and digits alone, in lower case: how an id is written does not change what it is. */
std::string folded (std::string_view id)
{
    std::string plain;

    for (const auto c : id)
        if ((c >= '0' && c <= '9') || (lowered (c) >= 'a' && lowered (c) <= 'z'))
            plain += lowered (c);

    return plain;
}

#if defined(_WIN32)

/** The UUID of the board: structure type 1 of the SMBIOS tables. */
std::string smbiosUuid()
{
    constexpr DWORD provider = 0x52534d42; // "RSMB"
    const auto size = GetSystemFirmwareTable (provider, 0, nullptr, 0);

    if (size < 8 || size > 1024 * 1024)
        return {};

    Bytes table (size);

    if (GetSystemFirmwareTable (provider, 0, table.data(), size) != size)
        return {};

    for (std::size_t at = 8; at + 4 <= table.size();)
    {
        const auto type = table[at];
        const std::size_t length = table[at + 1];

        if (length < 4)
            break;

        if (type == 1 && length >= 24 && at + 24 <= table.size())
            return toHex (table.data() + at + 8, 16);

        // its texts, up to two zeros
        at += length;

        while (at + 1 < table.size() && (table[at] != 0 || table[at + 1] != 0))
            ++at;

        at += 2;
    }

    return {};
}

std::string machineGuid()
{
    wchar_t text[64] = {};
    DWORD size = sizeof (text) - sizeof (wchar_t);
    std::string id;

    if (RegGetValueW (HKEY_LOCAL_MACHINE,
                      L"SOFTWARE\\Microsoft\\Cryptography",
                      L"MachineGuid",
                      RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY,
                      nullptr,
                      text,
                      &size)
        == ERROR_SUCCESS)
        for (const auto* c = text; *c != 0 && *c < 0x80; ++c)
            id += static_cast<char> (*c);

    return id;
}

#elif ! defined(__APPLE__)

std::string firstLineOf (const std::string& path)
{
    const auto text = readFile (path, 4096).text;
    return std::string (trimmed (std::string_view (text).substr (0, text.find ('\n'))));
}

#endif

} // namespace

bool isFiller (std::string_view id)
{
    const auto plain = folded (id);

    if (plain.size() < 8)
        return true;

    for (const std::string_view each : { "uninitialized",
                                         "03000200040005000006000700080009",
                                         "12345678123456781234567812345678",
                                         "123456781234567890abcddeefaabbcc",
                                         "0123456789abcdef0123456789abcdef",
                                         "tobefilledbyoem",
                                         "defaultstring",
                                         "notspecified",
                                         "notapplicable",
                                         "systemserialnumber",
                                         "systemuuid" })
        if (plain == each)
            return true;

    // zeros, Fs, and the like: no generator makes an id of two characters
    auto distinct = plain;
    std::sort (distinct.begin(), distinct.end());
    distinct.erase (std::unique (distinct.begin(), distinct.end()), distinct.end());
    return distinct.size() < 3;
}

std::vector<std::string> systemIds (const std::string& root)
{
    std::vector<std::string> ids;
    const auto add = [&] (const char* kind, const std::string& id)
    {
        if (! isFiller (id))
            ids.push_back (kind + folded (id));
    };

#if defined(_WIN32)
    static_cast<void> (root);
    add ("smbios:", smbiosUuid());
    add ("windows:", machineGuid());
#elif defined(__APPLE__)
    static_cast<void> (root);
    std::uint8_t uuid[16] = {};
    const timespec wait { 1, 0 };

    // the IOPlatformUUID
    if (gethostuuid (uuid, &wait) == 0)
        add ("platform:", toHex (uuid, sizeof (uuid)));
#else
    // the board's is for root alone, so it cannot be the first: an id must not change with the rights of whoever asks
    const auto systemd = firstLineOf (root + "/etc/machine-id");
    add ("machine-id:", ! isFiller (systemd) ? systemd : firstLineOf (root + "/var/lib/dbus/machine-id"));
    add ("smbios:", firstLineOf (root + "/sys/class/dmi/id/product_uuid"));
#endif

    return ids;
}

std::vector<std::string> machineIdsFor (const std::string& developerId, const std::vector<std::string>& systemIds)
{
    std::vector<std::string> ids;

    for (const auto& each : systemIds)
        ids.push_back (hmacSha256Hex ("tonerow machine 1\n" + developerId, each).substr (0, 32));

    return ids;
}

TONEROW_END
