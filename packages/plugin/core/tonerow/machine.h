// SPDX-License-Identifier: ISC
// Which computer this is. The ids are read from the system directly, without starting a program and without what
// changes with a network card, a dock, a disk, the language or the rights of whoever asks.
#pragma once

#include "base.h"

#include <string_view>

TONEROW_BEGIN

/** Ids as the system has them, the one that changes least first, without those that many computers share. */
std::vector<std::string> systemIds (const std::string& root = {});

/** Whether an id is what boards and images are left with by their makers, instead of one of their own. */
bool isFiller (std::string_view id);

/** The ids that one developer's plugins send: nobody can tell from those of two developers that it is one computer, and
   the system's own ids never leave it. */
std::vector<std::string> machineIdsFor (const std::string& developerId, const std::vector<std::string>& systemIds);

TONEROW_END
