// SPDX-License-Identifier: ISC
// What is heard of a plugin while it is licensed, and when it loses its license.
#include "check.h"
#include "support.h"

#include <tonerow/gate.h>

#include <algorithm>
#include <cmath>
#include <new>

using namespace support;

namespace
{

// of what the test in hand allocates on its audio thread
thread_local bool isAudio = false;
thread_local int allocations = 0;

} // namespace

// sanitizers have their own
#ifndef TONEROW_IS_SANITIZED
void* operator new (std::size_t size)
{
    allocations += isAudio ? 1 : 0;

    if (auto* memory = std::malloc (size))
        return memory;

    std::abort();
}

void operator delete (void* memory) noexcept
{
    allocations += isAudio ? 1 : 0;
    std::free (memory);
}

void operator delete (void* memory, std::size_t) noexcept { ::operator delete (memory); }
#endif

namespace
{

using Samples = std::vector<float>;

constexpr auto block = std::size_t { 64 };

/** A channel of a sine at full scale. */
Samples sine (std::size_t size)
{
    Samples samples (size);

    for (std::size_t i = 0; i < size; ++i)
        samples[i] = std::sin (static_cast<float> (i) * 0.05f);

    return samples;
}

Samples halved (Samples samples)
{
    for (auto& each : samples)
        each *= 0.5f;

    return samples;
}

/** As a juce::AudioBuffer<float> of one channel. */
struct Buffer
{
    const float* const* getArrayOfReadPointers() const { return &samples; }

    float* const* getArrayOfWritePointers() { return &samples; }

    int getNumChannels() const { return 1; }

    int getNumSamples() const { return size; }

    float* samples;
    int size;
};

/** What an instrument with a gate makes of it, locked or unlocked from a sample on. */
Samples gated (Gate& gate, Samples samples, bool isUnlocked, std::size_t changeAt)
{
    for (std::size_t at = 0; at < samples.size(); at += block)
    {
        Buffer buffer { samples.data() + at, static_cast<int> (std::min (block, samples.size() - at)) };
        gate.process (buffer, isUnlocked == (at < changeAt));
    }

    return samples;
}

/** The same for an effect that makes its input half as loud. */
Samples effect (Gate& gate, Samples samples, bool isUnlocked, OnLoss loss, std::size_t size = block)
{
    isAudio = true;

    for (std::size_t at = 0; at < samples.size(); at += size)
    {
        Buffer buffer { samples.data() + at, static_cast<int> (std::min (size, samples.size() - at)) };
        gate.keep (buffer, isUnlocked, loss);

        for (auto i = 0; i < buffer.size; ++i)
            buffer.samples[i] *= 0.5f;

        gate.process (buffer);
    }

    isAudio = false;
    return samples;
}

float greatestStep (const Samples& samples)
{
    auto greatest = 0.0f;

    for (std::size_t i = 1; i < samples.size(); ++i)
        greatest = std::max (greatest, std::abs (samples[i] - samples[i - 1]));

    return greatest;
}

Samples after (const Samples& samples, std::ptrdiff_t begin) { return { samples.begin() + begin, samples.end() }; }

} // namespace

TEST ("gate: an unlocked plugin is the same to the last bit, from its first sample on")
{
    const auto input = sine (4800);
    Gate gate;
    gate.prepare (48000.0, true);
    CHECK (gated (gate, input, true, input.size()) == input);
    gate.prepare (48000.0, block, 1, true, OnLoss::finish);
    CHECK (effect (gate, input, true, OnLoss::finish) == halved (input));
}

TEST ("gate: a locked plugin is silent from its first sample on")
{
    const auto input = sine (4800);
    const Samples silence (input.size());
    Gate gate;
    gate.prepare (48000.0, false);
    CHECK (gated (gate, input, false, input.size()) == silence);
    gate.prepare (48000.0, block, 1, false, OnLoss::finish);
    CHECK (effect (gate, input, false, OnLoss::finish) == silence);
}

TEST ("gate: fades without a click, both ways, and ends where it should")
{
    const auto input = sine (9600);

    for (const auto isUnlocked : { true, false })
    {
        Gate gate;
        gate.prepare (48000.0, isUnlocked);
        const auto output = gated (gate, input, isUnlocked, 4800);
        // the sine itself moves by 0.05 a sample
        CHECK (greatestStep (output) < 0.06f);
        CHECK (output.back() == (isUnlocked ? 0.0f : input.back()));
    }
}

TEST ("gate: a bypass fades to the input without a click, is it to the last bit, and fades back")
{
    const auto input = sine (960);
    Gate gate;
    gate.prepare (48000.0, block, 1, true, OnLoss::finish);
    auto output = effect (gate, input, true, OnLoss::finish);
    CHECK (output == halved (input));

    for (const auto isUnlocked : { false, true })
    {
        // 10 ms are 480 samples
        const auto faded = effect (gate, input, isUnlocked, OnLoss::bypass);
        CHECK (after (faded, 512) == after (isUnlocked ? halved (input) : input, 512));
        CHECK (greatestStep (faded) < 0.06f);
        // in between it is never quieter than the quieter of both
        for (std::size_t i = 0; i < input.size(); ++i)
            CHECK (std::abs (faded[i]) >= std::abs (input[i]) * 0.499f);

        CHECK (std::abs (faded.front() - (isUnlocked ? input : halved (input)).front()) < 0.01f);
    }
}

TEST ("gate: a bypass goes on when the host prepares the plugin again, without a gap")
{
    const auto input = sine (960);
    Gate gate;
    gate.prepare (48000.0, block, 1, false, OnLoss::bypass);
    CHECK (effect (gate, input, false, OnLoss::bypass) == input);
}

TEST ("gate: what has no input is silent when it is bypassed")
{
    const auto input = sine (960);
    Gate gate;
    gate.prepare (48000.0, block, 0, true, OnLoss::finish);
    const auto output = effect (gate, input, false, OnLoss::bypass);
    CHECK (greatestStep (output) < 0.06f);
    CHECK (after (output, 512) == Samples (input.size() - 512));
}

TEST ("gate: a block that is larger than the host said is silent where there was no room for it")
{
    const auto input = sine (3 * block);
    Gate gate;
    gate.prepare (48000.0, block, 1, false, OnLoss::bypass);
    auto expected = input;
    std::fill (expected.begin() + block, expected.end(), 0.0f);
    CHECK (effect (gate, input, false, OnLoss::bypass, input.size()) == expected);
}

TEST ("gate: allocates nothing on the audio thread, whatever becomes of the license")
{
    const auto input = sine (960);
    Gate gate;
    gate.prepare (48000.0, block, 1, true, OnLoss::finish);
    allocations = 0;

    for (const auto isUnlocked : { true, false, true, false })
        for (const auto loss : { OnLoss::bypass, OnLoss::mute })
            effect (gate, input, isUnlocked, loss);

    EQUAL (allocations, 0);

#ifndef TONEROW_IS_SANITIZED
    // one that would have been counted
    isAudio = true;
    delete new float (0.0f);
    isAudio = false;
    CHECK (allocations > 0);
#endif
}

TEST ("gate: a license that is lost finishes the session, bypasses the effect or mutes it, as the product wants, and "
      "locks the next")
{
    const auto input = sine (960);

    for (const std::string loss : { "", "bypass", "mute" })
    {
        World world;
        world.server->loss = loss;
        Gate gate;
        const auto prepare = [&gate] (const License& license)
        { gate.prepare (48000.0, block, 1, license.isUnlocked(), license.loss()); };
        const auto heard = [&gate, &input] (const License& license)
        { return after (effect (gate, input, license.isUnlocked(), license.loss()), 512); };

        const auto license = world.open();
        license->activate (world.server->serial, "nina@example.com");
        CHECK (settle (*license));
        prepare (*license);
        CHECK (heard (*license) == after (halved (input), 512));
        world.server->status = "revoked";
        license->checkNow();
        CHECK (settle (*license));
        CHECK (heard (*license)
               == (loss.empty()       ? after (halved (input), 512)
                   : loss == "bypass" ? after (input, 512)
                                      : Samples (input.size() - 512)));
        const auto next = world.open();
        prepare (*next);
        CHECK (heard (*next) == Samples (input.size() - 512));
    }
}
