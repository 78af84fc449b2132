// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** The text with line breaks where a word is wider than that: JUCE breaks nowhere but at spaces on some systems, and
   Japanese has none, nor has an address. */
juce::String brokenToFit (const juce::String&, const juce::Font&, float width);

/** A typeface that has the letters of a text, where JUCE finds none by itself: before 8, it has no Japanese on Linux.
   Empty where there is nothing to choose. */
juce::String typefaceFor (const juce::String&);

/** A text laid out in a width, with nothing beyond it. */
juce::TextLayout laidOutToFit (
    const juce::String&, const juce::Font&, juce::Colour, float width, juce::Justification, bool isRightToLeft = false);

TONEROW_END
