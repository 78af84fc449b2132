// SPDX-License-Identifier: ISC
#pragma once

#include <tonerow_juce/tonerow_juce.h>

#include "Settings.h"

/** One for all instances in a host. */
struct License : tonerow::PluginLicense
{
    License() : PluginLicense (licenseSettings()) {}
};
