# SPDX-License-Identifier: ISC
# Sets TONEROW_MONOCYPHER to the src folder of Monocypher 4: the one that was named, or a pinned release. None of it is copied
# into this folder.
if (NOT TONEROW_MONOCYPHER)
    # a download without a hash would build whatever comes
    if (NOT TONEROW_MONOCYPHER_SHA256 MATCHES "^[0-9a-fA-F]+$")
        message (FATAL_ERROR
            "Set TONEROW_MONOCYPHER_SHA256 to the SHA-256 of ${TONEROW_MONOCYPHER_URL}, "
            "or TONEROW_MONOCYPHER to the src folder of Monocypher 4.")
    endif()

    string (LENGTH "${TONEROW_MONOCYPHER_SHA256}" length)

    if (NOT length EQUAL 64)
        message (FATAL_ERROR "TONEROW_MONOCYPHER_SHA256 has to have 64 hexadecimal digits.")
    endif()

    include (FetchContent)

    # the files are as old as their unpacking: another release is compiled anew
    if (POLICY CMP0135)
        cmake_policy (SET CMP0135 NEW)
    endif()

    # it has no CMakeLists.txt, so this unpacks it and builds nothing
    FetchContent_Declare (tonerow_monocypher_source
        URL "${TONEROW_MONOCYPHER_URL}"
        URL_HASH "SHA256=${TONEROW_MONOCYPHER_SHA256}")
    FetchContent_MakeAvailable (tonerow_monocypher_source)
    set (TONEROW_MONOCYPHER "${tonerow_monocypher_source_SOURCE_DIR}/src")
endif()

if (NOT EXISTS "${TONEROW_MONOCYPHER}/monocypher.c"
    OR NOT EXISTS "${TONEROW_MONOCYPHER}/optional/monocypher-ed25519.c")
    message (FATAL_ERROR "TONEROW_MONOCYPHER has to name the src folder of Monocypher 4.")
endif()
