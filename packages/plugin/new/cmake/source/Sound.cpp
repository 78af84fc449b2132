// SPDX-License-Identifier: ISC
#include "Sound.h"

#include <cmath>

Sound::Sound (tonerow::License& l, double sampleRate) : license (l), rate (sampleRate)
{
    // open from the first sample on when it is licensed
    gate.prepare (rate, license.isUnlocked());
}

void Sound::process (float* samples, std::size_t count) noexcept
{
    render (samples, count);
    // atomics alone: nothing waits, allocates or calls the system here
    license.processed (count, rate);
    gate.process (&samples, 1, static_cast<int> (count), license.isUnlocked());
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
