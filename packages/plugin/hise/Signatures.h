// SPDX-License-Identifier: ISC
// What checks signatures in a HISE plugin: Monocypher 4, whose two files are put into src/monocypher, unless the
// project defines TONEROW_USE_SODIUM or TONEROW_USE_OPENSSL and links that library.
//
// HISE compiles all nodes as one file, and takes no C from the project: so Monocypher is compiled in it, as C++, and
// its macros end here.
#pragma once

#if ! (TONEROW_USE_SODIUM || TONEROW_USE_OPENSSL)
    #if ! __has_include("../../monocypher/monocypher-ed25519.c")
        #error "Put monocypher.c, monocypher.h, monocypher-ed25519.c and monocypher-ed25519.h into src/monocypher."
    #endif

    #define TONEROW_USE_MONOCYPHER 1
    #define TONEROW_MONOCYPHER_IS_HERE

    #if defined(__GNUC__) || defined(__clang__)
        #pragma GCC diagnostic push
        #pragma GCC diagnostic ignored "-Wconversion"
        #pragma GCC diagnostic ignored "-Wsign-conversion"
        #pragma GCC diagnostic ignored "-Wshadow"
    #endif

    // both have the same short names
    #include "../../monocypher/monocypher.c"
    #undef FOR_T
    #undef FOR
    #undef COPY
    #undef ZERO
    #undef WIPE_CTX
    #undef WIPE_BUFFER
    #undef MIN
    #undef MAX
    #include "../../monocypher/monocypher-ed25519.c"
    #undef FOR
    #undef COPY
    #undef ZERO
    #undef WIPE_CTX
    #undef WIPE_BUFFER
    #undef MIN
    #undef QUARTERROUND
    #undef BLAKE2_G
    #undef BLAKE2_ROUND
    #undef LSB
    #undef G
    #undef ROUND
    #undef FE_CARRY
    #undef P_W_WIDTH
    #undef B_W_WIDTH
    #undef P_W_SIZE
    #undef B_W_SIZE

    #if defined(__GNUC__) || defined(__clang__)
        #pragma GCC diagnostic pop
    #endif
#endif
