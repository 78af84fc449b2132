// SPDX-License-Identifier: ISC
#include "check.h"
#include "support.h"

#include <tonerow/machine.h>

#include <sys/stat.h>

using namespace support;

namespace
{

constexpr auto systemd = "5f2d1c0b9a8e47d6b3c2a1f0e9d8c7b6";
constexpr auto board = "4C4C4544-004D-3510-805A-C2C04F4D3233";

/** A Linux machine, as its files show it. */
struct Files
{
    Folder folder;

    void set (const char* name, const std::string& text) const { writeText (folder.path + name, text + "\n"); }

    std::vector<std::string> ids() const { return systemIds (folder.path); }
};

std::string listed (const std::vector<std::string>& all)
{
    std::string text;

    for (const auto& each : all)
        text += (text.empty() ? "" : " ") + each;

    return text;
}

} // namespace

TEST ("machine: two equal computers have different ids, without what only root may read")
{
    const Files one, other;
    one.set ("/etc/machine-id", systemd);
    other.set ("/etc/machine-id", "00112233445566778899aabbccddeeff");
    EQUAL (listed (one.ids()), std::string ("machine-id:") + systemd);
    CHECK (one.ids() != other.ids());
}

TEST ("machine: root sees one id more, and the first stays the same")
{
    const Files files;
    files.set ("/etc/machine-id", systemd);
    const auto asUser = files.ids();
    files.set ("/sys/class/dmi/id/product_uuid", board);
    EQUAL (listed (files.ids()), asUser.front() + " smbios:4c4c4544004d3510805ac2c04f4d3233");
}

TEST ("machine: a BIOS update changes nothing that is asked for first")
{
    const Files files;
    files.set ("/etc/machine-id", systemd);
    files.set ("/sys/class/dmi/id/bios_version", "1.0");
    const auto before = files.ids();
    files.set ("/sys/class/dmi/id/bios_version", "2.0");
    EQUAL (listed (files.ids()), listed (before));
}

TEST ("machine: no program is started for its ids, whatever is in the path")
{
    const auto before = Parts::ofThisSystem().systemIds;
    const ForgedPrograms programs;
    EQUAL (listed (Parts::ofThisSystem().systemIds), listed (before));
    CHECK (! programs.wereStarted());

    // one that would have been seen
    CHECK (std::system ("lscpu > /dev/null") == 0);
    CHECK (programs.wereStarted());
}

TEST ("machine: a container's or an image's empty id is none, and D-Bus has it, too")
{
    const Files files;
    EQUAL (files.ids().size(), 0u);
    files.set ("/etc/machine-id", "uninitialized");
    EQUAL (files.ids().size(), 0u);
    files.set ("/var/lib/dbus/machine-id", systemd);
    EQUAL (listed (files.ids()), std::string ("machine-id:") + systemd);
}

TEST ("machine: what many boards have is nobody's id")
{
    for (const auto* filler : { "",
                                "00000000-0000-0000-0000-000000000000",
                                "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
                                "ffffffff-0000-ffff-0000-ffffffffffff",
                                "03000200-0400-0500-0006-000700080009",
                                "12345678-1234-5678-90AB-CDDEEFAABBCC",
                                "To be filled by O.E.M.",
                                "Default string",
                                "Not Specified",
                                "System Serial Number",
                                "None",
                                "1234567" })
        CHECK (isFiller (filler));

    CHECK (! isFiller (systemd));
    CHECK (! isFiller (board));
}

TEST ("machine: a pipe, a folder or a large file in the place of an id is none")
{
    const Files files;
    writeText (files.folder.path + "/etc/other", "x");
    const auto path = files.folder.path + "/etc/machine-id";
    CHECK (mkfifo (path.c_str(), 0600) == 0);
    EQUAL (files.ids().size(), 0u);
    const Files large;
    large.set ("/etc/machine-id", std::string (100000, 'a'));
    EQUAL (large.ids().size(), 0u);
}

TEST ("machine: nobody can tell from the ids of two developers that it is one computer")
{
    const std::vector<std::string> ids { std::string ("machine-id:") + systemd,
                                         "smbios:4c4c4544004d3510805ac2c04f4d3233" };
    const auto one = machineIdsFor ("developer-1", ids), other = machineIdsFor ("developer-2", ids);
    EQUAL (one.size(), 2u);

    for (const auto& each : one)
    {
        EQUAL (each.size(), 32u);
        CHECK (each.find (systemd) == std::string::npos);
        CHECK (each != other[0] && each != other[1]);
        CHECK (! isFiller (each));
    }

    CHECK (one[0] != one[1]);
    EQUAL (listed (machineIdsFor ("developer-1", ids)), listed (one));
}
