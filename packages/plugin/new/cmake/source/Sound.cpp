// SPDX-License-Identifier: ISC
#include "Sound.h"

#include <algorithm>
#include <cmath>

// open from the first sample on when it is licensed
Sound::Sound (tonerow::License& l, double sampleRate) :
    license (l), rate (sampleRate), gain (l.isUnlocked() ? 1.0f : 0.0f)
{
}

void Sound::process (float* samples, std::size_t count) noexcept
{
    render (samples, count);
    // atomics alone: nothing waits, allocates or calls the system here
    license.processed (count, rate);
    const auto target = license.isUnlocked() ? 1.0f : 0.0f;
    const auto step = static_cast<float> (1.0 / (0.01 * rate));

    for (std::size_t i = 0; i < count; ++i)
    {
        gain = target > gain ? std::min (target, gain + step) : std::max (target, gain - step);
        samples[i] *= gain;
    }
}

void Sound::render (float* samples, std::size_t count) noexcept
{
    constexpr auto circle = 6.283185307179586;

    for (std::size_t i = 0; i < count; ++i)
    {
        samples[i] = 0.5f * static_cast<float> (std::sin (phase));
        phase = std::fmod (phase + circle * 440.0 / rate, circle);
    }
}
