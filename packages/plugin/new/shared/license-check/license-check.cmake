# SPDX-License-Identifier: ISC
if (LICENSE_CHECK)
    find_package (CURL 7.66 QUIET)
    add_executable (license-check license-check/Main.cpp)
    target_link_libraries (license-check PRIVATE tonerow::core)
    target_compile_definitions (license-check PRIVATE PLUGIN_VERSION="${PROJECT_VERSION}" HAS_CURL=$<BOOL:${CURL_FOUND}>)

    if (CURL_FOUND)
        target_sources (license-check PRIVATE license-check/CurlHttp.cpp)
        target_link_libraries (license-check PRIVATE CURL::libcurl)
    else()
        message (STATUS "license-check has no network: libcurl is not installed")
    endif()
endif()
