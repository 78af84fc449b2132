// SPDX-License-Identifier: ISC
#include <tonerow_juce/tonerow_juce.h>

#define TONEROW_TEST_HTTP std::make_shared<JuceHttp>()
#define TONEROW_TEST_HTTP_NAME "JUCE"
#include "network.h"
