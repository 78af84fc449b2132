// SPDX-License-Identifier: ISC
/*******************************************************************************
 BEGIN_JUCE_MODULE_DECLARATION

  ID:                 tonerow_juce
  vendor:             tonerow
  version:            1.0.0
  name:               Tonerow licensing
  description:        Licenses of audio plugins: signed, stored and checked without getting in anybody's way
  website:            https://tonerow.example
  license:            ISC
  minimumCppStandard: 17

  dependencies:       juce_core, juce_events
  OSXFrameworks:      Security
  iOSFrameworks:      Security
  windowsLibs:        bcrypt, ole32, shell32, advapi32

 END_JUCE_MODULE_DECLARATION
*******************************************************************************/

// The module takes ../core along: add the whole folder that this one is in, not a copy of this one alone. Which library
// checks signatures is a definition of your project, such as TONEROW_USE_SODIUM=1 (see ../core/tonerow/verifier.h).
#pragma once
#define TONEROW_JUCE_H_INCLUDED

#include <juce_core/juce_core.h>
#include <juce_events/juce_events.h>

/** Config: TONEROW_USE_MONOCYPHER
    Monocypher 4 checks signatures: add its monocypher.c and monocypher-ed25519.c to your project.
*/
#ifndef TONEROW_USE_MONOCYPHER
    #define TONEROW_USE_MONOCYPHER 0
#endif

/** Config: TONEROW_USE_SODIUM
    libsodium checks signatures: link it.
*/
#ifndef TONEROW_USE_SODIUM
    #define TONEROW_USE_SODIUM 0
#endif

/** Config: TONEROW_USE_OPENSSL
    OpenSSL 1.1.1 or newer checks signatures: link its libcrypto.
*/
#ifndef TONEROW_USE_OPENSSL
    #define TONEROW_USE_OPENSSL 0
#endif

// a plugin that was licensed by JUCE's own class has these: they know what JUCE called this computer
#if JUCE_MODULE_AVAILABLE_juce_product_unlocking && JUCE_MODULE_AVAILABLE_juce_data_structures
    #define TONEROW_KNOWS_JUCE_IDS 1
    #include <juce_product_unlocking/juce_product_unlocking.h>
#else
    #define TONEROW_KNOWS_JUCE_IDS 0
#endif

#include "../core/tonerow/gate.h"
#include "../core/tonerow/license.h"
#include "../core/tonerow/qr.h"
#include "../core/tonerow/text.h"
#include "license/JuceHttp.h"
#include "license/PluginLicense.h"

#if JUCE_MODULE_AVAILABLE_juce_gui_basics
    #include <juce_gui_basics/juce_gui_basics.h>

    #include "panel/ActivationPanel.h"
    #include "panel/Layout.h"
    #include "panel/Strings.h"
    #include "panel/Theme.h"
#endif
