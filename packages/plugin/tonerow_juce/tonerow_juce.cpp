// SPDX-License-Identifier: ISC
#include "tonerow_juce.h"

#include "../core/tonerow_core.cpp"
#include "license/JuceHttp.cpp"
#include "license/PluginLicense.cpp"

#if JUCE_MODULE_AVAILABLE_juce_gui_basics
    #include "panel/ActivationPanel.cpp"
    #include "panel/Strings.cpp"
#endif
