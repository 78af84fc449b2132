// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** How the panel looks. */
struct Theme
{
    juce::Colour background { 0xff15181d }, text { 0xfff2f4f7 }, quiet { 0xffaeb6c2 }, accent { 0xff2dd4bf },
        onAccent { 0xff06231f }, field { 0xff22272f }, outline { 0xff6b7583 }, warning { 0xfffbbf24 };
    float textHeight = 15.0f, corner = 6.0f;
    juce::String typeface; // empty for the system's
    juce::Image logo;

    static Theme light();
};

TONEROW_END
