// SPDX-License-Identifier: ISC
// What a fuzzed program has; fuzz-main.cpp runs it, with libFuzzer or with mutations of its own where that is not
// there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

/** Texts from which everything begins: chance alone would take years to write a token. */
std::vector<std::string> seeds();

/** Takes any text, and aborts when something is wrong. */
void tryAll (std::string_view);

/** So many texts, where there is no libFuzzer. */
extern const int usualRounds;
