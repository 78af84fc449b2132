// SPDX-License-Identifier: ISC
// Writes a second of sound into a WAV file: audible when this computer has a license, silent when not.
// `license-check activate SERIAL EMAIL` gets one.
#include "Settings.h"
#include "Sound.h"

#include <array>
#include <fstream>
#include <iostream>

namespace
{

constexpr std::uint32_t rate = 48000;

void put (std::ofstream& file, std::uint32_t value, int bytes)
{
    for (auto i = 0; i < bytes; ++i)
        file.put (static_cast<char> ((value >> (8 * i)) & 0xffu));
}

} // namespace

int main (int count, char** words)
{
    if (count != 2)
    {
        std::cerr << "usage: " << words[0] << " FILE.wav\n";
        return 64;
    }

    // reads a small file and verifies it: no network, no thread
    tonerow::License license (licenseSettings(), tonerow::Parts::ofThisSystem());
    Sound sound (license, rate);
    std::ofstream file (words[1], std::ios::binary);
    constexpr auto size = rate * 2;
    file << "RIFF";
    put (file, 36 + size, 4);
    file << "WAVEfmt ";
    put (file, 16, 4);
    put (file, 1, 2);
    put (file, 1, 2);
    put (file, rate, 4);
    put (file, rate * 2, 4);
    put (file, 2, 2);
    put (file, 16, 2);
    file << "data";
    put (file, size, 4);
    std::array<float, 480> block {};

    for (std::uint32_t done = 0; done < rate; done += static_cast<std::uint32_t> (block.size()))
    {
        sound.process (block.data(), block.size());

        for (const auto sample : block)
            put (file, static_cast<std::uint16_t> (static_cast<std::int16_t> (sample * 32767.0f)), 2);
    }

    file.close();

    if (! file)
    {
        std::cerr << words[1] << " cannot be written.\n";
        return 1;
    }

    std::cout << (license.isUnlocked() ? "unlocked" : "locked") << ": " << tonerow::nameOf (license.view().state)
              << "\n";
    return 0;
}
