// SPDX-License-Identifier: ISC
// What is heard of a plugin, by its license.
#pragma once

#include "token.h"

#include <algorithm>
#include <vector>

TONEROW_BEGIN

/** Lets sound through while the plugin is unlocked, and fades where that changes: nobody hears a click. An effect whose
    license is lost can pass its input through instead (OnLoss::bypass):

        prepareToPlay    gate.prepare (rate, samplesPerBlock, inputChannels, license.isUnlocked(), license.loss());
        processBlock     gate.keep (buffer, license.isUnlocked(), license.loss());
                         … your sound …
                         gate.process (buffer);

    What has no input needs no keep(), and is silent where an effect is bypassed. All but prepare() is of the audio
   thread: without allocations, locks or calls of the system. */
class Gate
{
public:
    /** For what has no input. An unlocked plugin is open from its first sample on. */
    void prepare (double sampleRate, bool isUnlocked) noexcept
    {
        step = sampleRate > 0.0 ? static_cast<float> (1.0 / (0.01 * sampleRate)) : 1.0f;
        input.clear();
        mostChannels = mostSamples = keptChannels = keptSamples = 0;
        turnTo (isUnlocked, OnLoss::mute);
        sound = soundTarget;
        passed = passedTarget;
    }

    /** Makes room for the input, too. */
    void prepare (double sampleRate, int samplesInBlock, int inputChannels, bool isUnlocked, OnLoss loss)
    {
        prepare (sampleRate, isUnlocked);
        mostSamples = std::max (0, samplesInBlock);
        mostChannels = std::max (0, inputChannels);
        input.assign (static_cast<std::size_t> (mostSamples) * static_cast<std::size_t> (mostChannels), 0.0f);
        turnTo (isUnlocked, loss);
        passed = passedTarget;
    }

    /** At the beginning of processBlock, before the input is written over. An effect with latency gives its input as
        late as its sound. What is more than was prepared for is silent when it would be passed through. */
    void keep (const float* const* channels, int numChannels, int numSamples, bool isUnlocked, OnLoss loss) noexcept
    {
        // what is decided here holds for the whole block: the license may change meanwhile
        turnTo (isUnlocked, loss);
        keptChannels = keptSamples = 0;

        // a licensed plugin copies nothing
        if (passed <= 0.0f && passedTarget <= 0.0f)
            return;

        keptChannels = std::min (numChannels, mostChannels);
        keptSamples = std::min (numSamples, mostSamples);

        for (auto channel = 0; channel < keptChannels; ++channel)
            std::copy_n (channels[channel], keptSamples, kept (channel));
    }

    /** After keep(), at the end of processBlock. */
    void process (float* const* channels, int numChannels, int numSamples) noexcept
    {
        auto done = 0;

        for (; done < numSamples && isFading(); ++done)
        {
            sound = nearer (sound, soundTarget);
            passed = nearer (passed, passedTarget);

            for (auto channel = 0; channel < numChannels; ++channel)
                channels[channel][done] =
                    smooth (sound) * channels[channel][done] + smooth (passed) * inputAt (channel, done);
        }

        // not a bit of a licensed plugin is changed, nor of an input that is passed through
        if (done < numSamples && sound < 1.0f)
            for (auto channel = 0; channel < numChannels; ++channel)
                replace (channels[channel], channel, done, numSamples);
    }

    /** For what has no input: at the end of processBlock, without keep(). */
    void process (float* const* channels, int numChannels, int numSamples, bool isUnlocked) noexcept
    {
        turnTo (isUnlocked, OnLoss::mute);
        keptChannels = keptSamples = 0;
        process (channels, numChannels, numSamples);
    }

    // with a juce::AudioBuffer<float>

    template <typename Buffer>
    void keep (const Buffer& buffer, bool isUnlocked, OnLoss loss) noexcept
    {
        keep (buffer.getArrayOfReadPointers(), buffer.getNumChannels(), buffer.getNumSamples(), isUnlocked, loss);
    }

    template <typename Buffer>
    void process (Buffer& buffer) noexcept
    {
        process (buffer.getArrayOfWritePointers(), buffer.getNumChannels(), buffer.getNumSamples());
    }

    template <typename Buffer>
    void process (Buffer& buffer, bool isUnlocked) noexcept
    {
        process (buffer.getArrayOfWritePointers(), buffer.getNumChannels(), buffer.getNumSamples(), isUnlocked);
    }

private:
    void turnTo (bool isUnlocked, OnLoss loss) noexcept
    {
        soundTarget = isUnlocked ? 1.0f : 0.0f;
        passedTarget = ! isUnlocked && loss == OnLoss::bypass ? 1.0f : 0.0f;
    }

    bool isFading() const noexcept
    {
        return sound < soundTarget || sound > soundTarget || passed < passedTarget || passed > passedTarget;
    }

    float nearer (float gain, float target) const noexcept
    {
        return target > gain ? std::min (target, gain + step) : std::max (target, gain - step);
    }

    /** Without a corner at either end. */
    static float smooth (float gain) noexcept { return gain * gain * (3.0f - 2.0f * gain); }

    float* kept (int channel) noexcept
    {
        return input.data() + static_cast<std::size_t> (channel) * static_cast<std::size_t> (mostSamples);
    }

    float inputAt (int channel, int sample) noexcept
    {
        return channel < keptChannels && sample < keptSamples ? kept (channel)[sample] : 0.0f;
    }

    /** By what is passed through, or by silence. */
    void replace (float* samples, int channel, int from, int to) noexcept
    {
        const auto last = passed > 0.0f && channel < keptChannels ? std::clamp (keptSamples, from, to) : from;

        if (last > from)
            std::copy_n (kept (channel) + from, last - from, samples + from);

        std::fill (samples + last, samples + to, 0.0f);
    }

    std::vector<float> input;
    int mostChannels = 0, mostSamples = 0, keptChannels = 0, keptSamples = 0;
    // of the plugin's own sound, and of its input
    float sound = 0.0f, soundTarget = 0.0f, passed = 0.0f, passedTarget = 0.0f, step = 1.0f;
};

TONEROW_END
