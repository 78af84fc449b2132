// SPDX-License-Identifier: ISC
#include "Processor.h"

#include "Editor.h"

#include <cmath>

Processor::Processor() :
    AudioProcessor (isInstrument ? BusesProperties().withOutput ("Output", juce::AudioChannelSet::stereo())
                                 : BusesProperties()
                                       .withInput ("Input", juce::AudioChannelSet::stereo())
                                       .withOutput ("Output", juce::AudioChannelSet::stereo()))
{
}

bool Processor::isBusesLayoutSupported (const BusesLayout& layout) const
{
    const auto out = layout.getMainOutputChannelSet();
    return out == juce::AudioChannelSet::stereo() && (isInstrument || layout.getMainInputChannelSet() == out);
}

void Processor::prepareToPlay (double sampleRate, int samplesPerBlock)
{
    // open from the first sample on when it is licensed: a render without a message loop is never silent
    gate.prepare (sampleRate, samplesPerBlock, getTotalNumInputChannels(), license->isUnlocked(), license->loss());
    license->prepared();
}

void Processor::processBlock (juce::AudioBuffer<float>& buffer, juce::MidiBuffer& midi)
{
    const juce::ScopedNoDenormals noDenormals;
    // atomics alone: nothing waits, allocates or calls the system here. Where the product wants it, an effect that
    // loses its license passes on what came in
    gate.keep (buffer, license->isUnlocked(), license->loss());
    render (buffer, midi);
    license->processed (buffer.getNumSamples(), getSampleRate());
    gate.process (buffer);
}

void Processor::render (juce::AudioBuffer<float>& buffer, const juce::MidiBuffer& midi)
{
    if (! isInstrument)
    {
        buffer.applyGain (0.5f);
        return;
    }

    for (const auto each : midi)
    {
        const auto message = each.getMessage();

        if (message.isNoteOn())
            note = message.getNoteNumber();
        else if (message.isAllNotesOff() || message.isAllSoundOff()
                 || (message.isNoteOff() && message.getNoteNumber() == note))
            note = -1;
    }

    buffer.clear();

    if (note < 0)
        return;

    const auto step =
        juce::MathConstants<double>::twoPi * juce::MidiMessage::getMidiNoteInHertz (note) / getSampleRate();

    for (auto sample = 0; sample < buffer.getNumSamples(); ++sample)
    {
        phase = std::fmod (phase + step, juce::MathConstants<double>::twoPi);

        for (auto channel = 0; channel < buffer.getNumChannels(); ++channel)
            buffer.setSample (channel, sample, 0.2f * static_cast<float> (std::sin (phase)));
    }
}

juce::AudioProcessorEditor* Processor::createEditor() { return new Editor (*this); }

juce::AudioProcessor* JUCE_CALLTYPE createPluginFilter();

juce::AudioProcessor* JUCE_CALLTYPE createPluginFilter() { return new Processor(); }
