// SPDX-License-Identifier: ISC
// The namespace, and what every file of the core needs.
//
// The core is C++17 without exceptions, without RTTI and without objects of static storage. It can be compiled twice
// into one process: name the inline namespace after your company, and no symbol of yours is another's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#ifndef TONEROW_INLINE_NAMESPACE
    #define TONEROW_INLINE_NAMESPACE v1
#endif

#define TONEROW_BEGIN                                                                                                  \
    namespace tonerow                                                                                                  \
    {                                                                                                                  \
    inline namespace TONEROW_INLINE_NAMESPACE                                                                          \
    {

#define TONEROW_END                                                                                                    \
    }                                                                                                                  \
    }

TONEROW_BEGIN

using Bytes = std::vector<std::uint8_t>;

/** Seconds since 1970. */
using Seconds = std::int64_t;

constexpr Seconds minute = 60, hour = 60 * minute, day = 24 * hour;

TONEROW_END
