// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** Lets sound through while the plugin is unlocked, and fades where that changes: nobody hears a click. Of the audio
   thread, without allocations, locks or calls of the system. */
class Gate
{
public:
    /** In prepareToPlay. An unlocked plugin is open from its first sample on. */
    void prepare (double sampleRate, bool isUnlocked) noexcept
    {
        step = sampleRate > 0.0 ? static_cast<float> (1.0 / (0.01 * sampleRate)) : 1.0f;
        gain = isUnlocked ? 1.0f : 0.0f;
    }

    /** At the end of processBlock. */
    void process (float* const* channels, int numChannels, int numSamples, bool isUnlocked) noexcept
    {
        const auto target = isUnlocked ? 1.0f : 0.0f;

        // not a bit is changed
        if (gain >= 1.0f && isUnlocked)
            return;

        for (auto sample = 0; sample < numSamples; ++sample)
        {
            gain = target > gain ? juce::jmin (target, gain + step) : juce::jmax (target, gain - step);
            // without a corner at either end
            const auto smooth = gain * gain * (3.0f - 2.0f * gain);

            for (auto channel = 0; channel < numChannels; ++channel)
                channels[channel][sample] *= smooth;
        }
    }

    /** With a juce::AudioBuffer<float>. */
    template <typename Buffer>
    void process (Buffer& buffer, bool isUnlocked) noexcept
    {
        process (buffer.getArrayOfWritePointers(), buffer.getNumChannels(), buffer.getNumSamples(), isUnlocked);
    }

private:
    float gain = 0.0f, step = 1.0f;
};

TONEROW_END
