// SPDX-License-Identifier: ISC
#pragma once

#include <tonerow/gate.h>
#include <tonerow/license.h>

/** A sine, which fades to silence while the plugin is locked: put your own sound into `render`. It has no input; an
    effect lets the gate keep its own, which is heard where the product wants a lost license to bypass it. */
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
    tonerow::Gate gate;
};
