// SPDX-License-Identifier: ISC

// nothing in this file runs while sound does: it is made small, in release builds too
#if defined(__clang__)
    #pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#elif defined(__GNUC__)
    #pragma GCC optimize("Os")
#endif

#include "tonerow_juce.h"

#include "../core/tonerow_core.cpp"
#include "license/JuceHttp.cpp"
#include "license/PluginLicense.cpp"

#if JUCE_MODULE_AVAILABLE_juce_gui_basics
    #include "panel/ActivationPanel.cpp"
    #include "panel/Layout.cpp"
    #include "panel/Strings.cpp"
#endif

#if defined(__clang__)
    #pragma clang attribute pop
#endif
