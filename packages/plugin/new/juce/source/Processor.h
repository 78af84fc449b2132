// SPDX-License-Identifier: ISC
#pragma once

#include "License.h"

#include <juce_audio_utils/juce_audio_utils.h>

/** An instrument with one voice, or an effect that makes its input half as loud: put your own sound into `render`. */
class Processor final : public juce::AudioProcessor
{
public:
    Processor();

    void prepareToPlay (double sampleRate, int) override;
    void processBlock (juce::AudioBuffer<float>&, juce::MidiBuffer&) override;
    bool isBusesLayoutSupported (const BusesLayout&) const override;
    juce::AudioProcessorEditor* createEditor() override;

    bool hasEditor() const override { return true; }

    const juce::String getName() const override { return JucePlugin_Name; }

    bool acceptsMidi() const override { return isInstrument; }

    bool producesMidi() const override { return false; }

    double getTailLengthSeconds() const override { return 0.1; }

    int getNumPrograms() override { return 1; }

    int getCurrentProgram() override { return 0; }

    void setCurrentProgram (int) override {}

    const juce::String getProgramName (int) override { return {}; }

    void changeProgramName (int, const juce::String&) override {}

    void releaseResources() override {}

    void getStateInformation (juce::MemoryBlock&) override {}

    void setStateInformation (const void*, int) override {}

    juce::SharedResourcePointer<License> license;

private:
    static constexpr bool isInstrument = JucePlugin_IsSynth != 0;

    void render (juce::AudioBuffer<float>&, const juce::MidiBuffer&);

    tonerow::Gate gate;
    int note = -1;
    double phase = 0.0;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (Processor)
};
