// SPDX-License-Identifier: ISC
#pragma once

#include <tonerow/license.h>

/** A sine, which fades to silence while the plugin is locked: put your own sound into `render`. */
class Sound
{
public:
    Sound (tonerow::License&, double sampleRate);

    /** On the audio thread. */
    void process (float* samples, std::size_t count) noexcept;

private:
    void render (float* samples, std::size_t count) noexcept;

    tonerow::License& license;
    const double rate;
    double phase = 0.0;
    float gain;
};
