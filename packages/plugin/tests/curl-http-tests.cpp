// SPDX-License-Identifier: ISC
#include "../new/shared/license-check/CurlHttp.h"

#define TONEROW_TEST_HTTP std::make_shared<CurlHttp>()
#define TONEROW_TEST_HTTP_NAME "libcurl"
#include "network.h"
