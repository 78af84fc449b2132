// SPDX-License-Identifier: ISC
// Compiled once for each developer of two-developers.cpp.
#include <tonerow/machine.h>

#include <string>

const char* DEVELOPER_FUNCTION();

const char* DEVELOPER_FUNCTION()
{
    static const auto id =
        tonerow::machineIdsFor (DEVELOPER_ID, { "machine-id:5f2d1c0b9a8e47d6b3c2a1f0e9d8c7b6" }).front();
    return id.c_str();
}
