// SPDX-License-Identifier: ISC
#pragma once

#include <tonerow_juce/tonerow_juce.h>

#include "../core/tonerow/json.h"

#include SAMPLE_SETTINGS

/** One for all instances in a host. */
struct SampleLicense : tonerow::PluginLicense
{
    SampleLicense() : PluginLicense (sampleSettings()) {}
};
