// SPDX-License-Identifier: ISC
// A sine for each key, and a license with every screen. What is about the license has a comment.
#include "SampleLicense.h"

#include <juce_audio_utils/juce_audio_utils.h>

#include <array>
#include <cmath>

namespace
{

class SineVoice
{
public:
    void start (int number, float velocity, double sampleRate)
    {
        note = number;
        target = velocity * 0.2f;
        step = juce::MathConstants<double>::twoPi * juce::MidiMessage::getMidiNoteInHertz (number) / sampleRate;
    }

    void stop (int number)
    {
        if (note == number)
            target = 0.0f;
    }

    void stopAll() { target = 0.0f; }

    bool isFree() const { return target <= 0.0f && gain < 0.0001f; }

    float next()
    {
        gain += (target - gain) * 0.002f;
        phase = std::fmod (phase + step, juce::MathConstants<double>::twoPi);
        return gain * static_cast<float> (std::sin (phase));
    }

private:
    int note = -1;
    float target = 0.0f, gain = 0.0f;
    double phase = 0.0, step = 0.0;
};

class Instrument final : public juce::AudioProcessor
{
public:
    Instrument() : AudioProcessor (BusesProperties().withOutput ("Output", juce::AudioChannelSet::stereo())) {}

    void prepareToPlay (double rate, int) override
    {
        // open from the first sample on when it is licensed: a render without a message loop is never silent
        gate.prepare (rate, license->isUnlocked());
        license->prepared();
    }

    void processBlock (juce::AudioBuffer<float>& buffer, juce::MidiBuffer& midi) override
    {
        const juce::ScopedNoDenormals noDenormals;
        buffer.clear();
        auto done = 0;

        for (const auto each : midi)
        {
            render (buffer, done, each.samplePosition);
            done = each.samplePosition;
            take (each.getMessage());
        }

        render (buffer, done, buffer.getNumSamples());
        // atomics alone: nothing waits, allocates or calls the system here
        license->processed (buffer.getNumSamples(), getSampleRate());
        gate.process (buffer, license->isUnlocked());
    }

    juce::AudioProcessorEditor* createEditor() override;

    bool hasEditor() const override { return true; }

    bool isBusesLayoutSupported (const BusesLayout& layout) const override
    {
        return layout.getMainOutputChannelSet() == juce::AudioChannelSet::stereo();
    }

    const juce::String getName() const override { return "Tonerow Sample"; }

    bool acceptsMidi() const override { return true; }

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

    // all instances of this binary share one license
    juce::SharedResourcePointer<SampleLicense> license;

private:
    void take (const juce::MidiMessage& message)
    {
        if (message.isNoteOn())
        {
            const auto free = std::find_if (voices.begin(), voices.end(), [] (auto& each) { return each.isFree(); });
            (free != voices.end() ? *free : voices.front())
                .start (message.getNoteNumber(), message.getFloatVelocity(), getSampleRate());
        }
        else if (message.isNoteOff())
        {
            for (auto& each : voices)
                each.stop (message.getNoteNumber());
        }
        else if (message.isAllNotesOff() || message.isAllSoundOff())
        {
            for (auto& each : voices)
                each.stopAll();
        }
    }

    void render (juce::AudioBuffer<float>& buffer, int from, int to)
    {
        for (auto sample = from; sample < to; ++sample)
        {
            auto sum = 0.0f;

            for (auto& each : voices)
                sum += each.next();

            for (auto channel = 0; channel < buffer.getNumChannels(); ++channel)
                buffer.setSample (channel, sample, sum);
        }
    }

    tonerow::Gate gate;
    std::array<SineVoice, 8> voices;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (Instrument)
};

class InstrumentEditor final : public juce::AudioProcessorEditor
{
public:
    explicit InstrumentEditor (Instrument& owner) : AudioProcessorEditor (owner), panel (*owner.license)
    {
        addAndMakeVisible (name);
        name.setText ("Tonerow Sample", juce::dontSendNotification);
        name.setJustificationType (juce::Justification::centred);
        addAndMakeVisible (licenseButton);
        // the panel lies over everything until it is done with, and is there again whenever somebody wants it
        addChildComponent (panel);
        panel.setVisible (! owner.license->isUnlocked());
        panel.onDone = [this] { panel.setVisible (false); };
        licenseButton.onClick = [this]
        {
            panel.setVisible (true);
            panel.grabKeyboardFocus();
        };
        setResizable (true, true);
        setResizeLimits (320, 240, 1280, 960);
        setSize (480, 360);
    }

    void paint (juce::Graphics& g) override { g.fillAll (juce::Colour (0xff15181d)); }

    void resized() override
    {
        auto area = getLocalBounds();
        panel.setBounds (area);
        licenseButton.setBounds (area.removeFromBottom (48).withSizeKeepingCentre (140, 32));
        name.setBounds (area);
    }

private:
    juce::Label name;
    juce::TextButton licenseButton { "License" };
    tonerow::ActivationPanel panel;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (InstrumentEditor)
};

juce::AudioProcessorEditor* Instrument::createEditor() { return new InstrumentEditor (*this); }

} // namespace

juce::AudioProcessor* JUCE_CALLTYPE createPluginFilter();

juce::AudioProcessor* JUCE_CALLTYPE createPluginFilter() { return new Instrument(); }
