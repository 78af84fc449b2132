// SPDX-License-Identifier: ISC
/*  The core in a HISE plugin: a node that lets sound through while the plugin is licensed, from the first block on.

    It belongs into DspNetworks/ThirdParty of the project, with src/ beside it, as `tonerow plugin new --hise --bridge`
    writes them. Choose it in a Hardcoded Master FX, as the last effect of the master container: nothing behind it is
    locked. It has two channels; a plugin with more outputs has one for each pair, and they share the license.

    Tonerow.js asks it by the global cable TonerowAsk, and is told by TonerowTell. These are two because a cable drops
    what comes while it sends. HISE sends the last thing that was asked once more to everything that is connected, as
   when scripts are compiled: what arrives while it connects is not a question.

    How HISE compiles and calls it is read from its sources and manual, without HISE itself:
    - manual, scriptnode/manual/third_party: one header for each node, of its name, in the namespace project; other
   sources in src; juce::Timer does not work in HISE's own library for trying
    - manual, scriptnode/list/routing/global_cable: routing::global_cable_cpp_manager, sendDataToGlobalCable and
      registerDataCallback. Where GlobalCable has no sendData, HISE is too old for it
    - hi_backend/backend/BackendApplicationCommands.cpp, createThirdPartyNode: the callbacks, as in its template
    - hi_backend/snex_workbench/WorkbenchProcessor.cpp, createMainCppFile: all nodes are in one compiled file
    - hi_dsp_library/node_api/nodes/OpaqueNode.h: made in place by its constructor without arguments, called by pointers
    - hi_core/hi_core/PresetHandler.cpp, FrontendHandler::getAppDataDirectory; ScriptingApi.cpp, FileSystem.getSystemId
 */
#pragma once

#include <JuceHeader.h>

#include <atomic>

#include "src/tonerow/hise/Signatures.h"

#include "src/tonerow/hise/HiseBridge.h"

#include "src/tonerow/core/tonerow_core.cpp"
#include "src/tonerow/tonerow_juce/license/JuceHttp.cpp"

#ifndef PLUGIN_VERSION
    #ifdef JucePlugin_VersionString
        #define PLUGIN_VERSION JucePlugin_VersionString
    #else
        #define PLUGIN_VERSION "1.0.0"
    #endif
#endif

#define TONEROW_CORE_IS_HERE
#include "src/Settings.h"

namespace project
{

using namespace juce;
using namespace hise;
using namespace scriptnode;

/** The license of all instances in a host. */
struct tonerow_license : ::tonerow::License
{
    tonerow_license() : License (licenseSettings(), parts()) {}

    static ::tonerow::Parts parts()
    {
#ifdef TONEROW_HISE_PARTS
        return TONEROW_HISE_PARTS();
#else
        auto parts = ::tonerow::partsForHise();

    #if USE_FRONTEND && JUCE_MODULE_AVAILABLE_juce_product_unlocking
        // the same file and the same id as the script's
        const auto id = OnlineUnlockStatus::MachineIDUtilities::getLocalMachineIDs()[0];
        parts.older =
            ::tonerow::olderOfScript (FrontendHandler::getAppDataDirectory().getChildFile ("license.json"), id);

        if (! parts.older.serial.empty())
            parts.olderMachineIds = { id.toStdString() };
    #endif

        return parts;
#endif
    }
};

enum class tonerow_cable
{
    ask = 0,
    tell = 1
};

// what juce::String::hashCode() makes of "TonerowAsk" and "TonerowTell"
constexpr int tonerow_ask_hash = -1137202607, tonerow_tell_hash = -892989735;
using tonerow_cables =
    routing::global_cable_cpp_manager<SN_GLOBAL_CABLE (tonerow_ask_hash), SN_GLOBAL_CABLE (tonerow_tell_hash)>;

template <int NV>
struct tonerow_gate : public data::base, public tonerow_cables
{
    SNEX_NODE (tonerow_gate);

    struct MetadataClass
    {
        SN_NODE_ID ("tonerow_gate");
    };

    static constexpr bool isModNode() { return false; }

    static constexpr bool isPolyphonic() { return NV > 1; }

    static constexpr bool hasTail() { return false; }

    // it has to hear of all that is played
    static constexpr bool isSuspendedOnSilence() { return false; }

    static constexpr int getFixChannelAmount() { return 2; }

    static constexpr int NumTables = 0;
    static constexpr int NumSliderPacks = 0;
    static constexpr int NumAudioFiles = 0;
    static constexpr int NumFilters = 0;
    static constexpr int NumDisplayBuffers = 0;

    tonerow_gate() : bridge (license.get())
    {
        this->template registerDataCallback<tonerow_cable::ask> ([this] (const var& words) { ask (words); });
    }

    ~tonerow_gate()
    {
        // before the members that it uses are gone
        this->template registerDataCallback<tonerow_cable::ask> ({});
    }

    void connectToRuntimeTarget (bool add, const runtime_target::connection& connection)
    {
        ++connecting;
        tonerow_cables::connectToRuntimeTarget (add, connection);
        --connecting;

        // once, by the cable that it is told by
        if (add && connection.getHash() == tonerow_tell_hash)
            tell (bridge.told (::tonerow::Notice::none));
    }

    void prepare (PrepareSpecs specs) { bridge.prepare (specs.sampleRate); }

    void reset() {}

    void handleHiseEvent (HiseEvent&) {}

    template <typename T>
    void process (T& data)
    {
        bridge.process (data.getRawDataPointers(), data.getNumChannels(), data.getNumSamples());
    }

    template <typename T>
    void processFrame (T& data)
    {
        float* channels[2] = {};
        auto count = 0;

        for (auto& each : data)
            if (count < 2)
                channels[count++] = &each;

        bridge.process (channels, count, 1);
    }

    int handleModulation (double&) { return 0; }

    void setExternalData (const ExternalData&, int) {}

    template <int P>
    void setParameter (double)
    {
    }

    void createParameters (ParameterDataList&) {}

private:
    void ask (const var& words)
    {
        if (connecting == 0)
            tell (bridge.ask (words));
    }

    void tell (const String& text)
    {
        if (text.isNotEmpty())
            this->template sendDataToGlobalCable<tonerow_cable::tell> (var (text));
    }

    SharedResourcePointer<tonerow_license> license;
    ::tonerow::HiseBridge bridge;
    // HISE connects on a thread of its own choice
    std::atomic<int> connecting { 0 };
};

} // namespace project
