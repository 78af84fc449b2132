// SPDX-License-Identifier: ISC
// Licensing of {{PRODUCT_NAME}} with Tonerow, for JUCE 7.0.5 or newer and C++17.
//
// Take the folder packages/plugin into your project as tonerow/, and in your CMakeLists.txt:
//
//   juce_add_module (tonerow/tonerow_juce)
//   target_link_libraries (MyPlugin PRIVATE tonerow_juce sodium)
//   target_compile_definitions (MyPlugin PRIVATE TONEROW_USE_SODIUM=1 TONEROW_INLINE_NAMESPACE=my_company)
//
// In the processor:
//
//   juce::SharedResourcePointer<MyLicense> license;   // one for all instances of the plugin
//   tonerow::Gate gate;
//
//   void prepareToPlay (double rate, int samples) override
//   {
//       gate.prepare (rate, samples, getTotalNumInputChannels(), license->isUnlocked(), license->loss());
//       license->prepared();
//   }
//
//   void processBlock (juce::AudioBuffer<float>& buffer, juce::MidiBuffer&) override
//   {
//       gate.keep (buffer, license->isUnlocked(), license->loss());   // the input, which a lost license may pass through
//       render (buffer);
//       license->processed (buffer.getNumSamples(), getSampleRate());
//       gate.process (buffer);
//   }
//
// In the editor:
//
//   tonerow::ActivationPanel panel { *processor.license };   // every screen; panel.onDone hides it
//
// Only the construction reads a small file. The audio thread reads one atomic flag. Nothing is sent before an editor opens or
// five seconds were processed, and without a network the plugin works for the product's offline days.
#pragma once

#include <tonerow_juce/tonerow_juce.h>

struct MyLicense : tonerow::PluginLicense
{
    MyLicense() : PluginLicense (settings()) {}

    static tonerow::Config settings()
    {
        tonerow::Config config;
        config.server = "{{TONEROW_URL}}";
        config.pluginKey = "{{PLUGIN_KEY}}";
        config.productId = "{{PRODUCT_ID}}";
        config.productName = "{{PRODUCT_NAME}}";
        config.developerId = "{{DEVELOPER_ID}}";
        config.developer = "My Company";
#ifdef JucePlugin_VersionString
        config.version = JucePlugin_VersionString;
#endif
        // what {{TONEROW_URL}}/api/license/v1/jwks?dev={{DEVELOPER_ID}} answers, once you have activated for the first time.
        // Without your keys nothing unlocks: what fetches its keys would believe whoever answers.
        config.keys = { { "kid", "x" } };
        return config;
    }
};
