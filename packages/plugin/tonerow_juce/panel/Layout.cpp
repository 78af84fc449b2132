// SPDX-License-Identifier: ISC
TONEROW_BEGIN

namespace
{

float widthOf (const juce::String& text, const juce::Font& font)
{
    juce::GlyphArrangement glyphs;
    glyphs.addLineOfText (font, text, 0.0f, 0.0f);
    return glyphs.getBoundingBox (0, -1, true).getWidth();
}

/** Chinese, Japanese: a line may end after each. */
bool isIdeographic (juce::juce_wchar c)
{
    return (c >= 0x2e80 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff00 && c <= 0xffef);
}

/** What no line begins with. */
bool isClosing (juce::juce_wchar c)
{
    return juce::String (juce::CharPointer_UTF8 ("、。，．：；？！）」』】ーっゃゅょッャュョァィゥェォ々"))
        .containsChar (c);
}

/** What is not torn apart while there is another way: a word with the spaces behind it, or one such character with what
   closes it. */
juce::StringArray piecesOf (const juce::String& line)
{
    juce::StringArray pieces;
    juce::String piece;
    juce::juce_wchar before = 0;

    for (auto at = line.getCharPointer(); ! at.isEmpty(); ++at)
    {
        const auto c = *at;
        const auto isSpace = juce::CharacterFunctions::isWhitespace (c);
        const auto wasSpace = juce::CharacterFunctions::isWhitespace (before);
        const auto mayBreak =
            (wasSpace && ! isSpace) || ((isIdeographic (c) || isIdeographic (before)) && ! isSpace && ! isClosing (c));

        if (mayBreak && piece.isNotEmpty())
        {
            pieces.add (piece);
            piece.clear();
        }

        piece << c;
        before = c;
    }

    pieces.add (piece);
    return pieces;
}

/** By characters, where nothing else fits. */
juce::StringArray torn (const juce::String& word, const juce::Font& font, float width)
{
    juce::StringArray parts;
    juce::String part;

    for (auto at = word.getCharPointer(); ! at.isEmpty(); ++at)
    {
        const auto longer = part + juce::String::charToString (*at);

        if (part.isNotEmpty() && widthOf (longer, font) > width)
        {
            parts.add (part);
            part = juce::String::charToString (*at);
        }
        else
        {
            part = longer;
        }
    }

    parts.add (part);
    return parts;
}

juce::String lineToFit (const juce::String& line, const juce::Font& font, float width)
{
    const auto isWide = [&] (const juce::String& word) { return widthOf (word, font) > width; };
    const auto words = juce::StringArray::fromTokens (line, false);

    // the system breaks it at its spaces
    if (std::none_of (words.begin(), words.end(), isWide))
        return line;

    juce::String text, current;

    for (const auto& piece : piecesOf (line))
        for (const auto& part : isWide (piece.trimEnd()) ? torn (piece, font, width) : juce::StringArray (piece))
        {
            if (current.isNotEmpty() && isWide ((current + part).trimEnd()))
            {
                text << current.trimEnd() << "\n";
                current.clear();
            }

            current << part;
        }

    return text + current;
}

} // namespace

juce::String brokenToFit (const juce::String& text, const juce::Font& font, float width)
{
    auto lines = juce::StringArray::fromLines (text);

    for (auto& each : lines)
        each = lineToFit (each, font, width);

    return lines.joinIntoString ("\n");
}

juce::String typefaceFor ([[maybe_unused]] const juce::String& text)
{
#if JUCE_LINUX && JUCE_MAJOR_VERSION < 8
    auto isNeeded = false;

    for (const auto c : text)
        isNeeded = isNeeded || isIdeographic (c);

    const auto installed = isNeeded ? juce::Font::findAllTypefaceNames() : juce::StringArray();

    for (const auto* each : { "Noto Sans CJK JP",
                              "Noto Sans JP",
                              "Source Han Sans JP",
                              "IPAexGothic",
                              "IPAPGothic",
                              "IPAGothic",
                              "TakaoPGothic",
                              "VL PGothic",
                              "VL Gothic" })
        if (installed.contains (each))
            return each;
#endif

    return {};
}

juce::TextLayout laidOutToFit (const juce::String& text,
                               const juce::Font& font,
                               juce::Colour colour,
                               float width,
                               juce::Justification where,
                               bool isRightToLeft)
{
    juce::AttributedString attributed (brokenToFit (text, font, width));
    attributed.setFont (font);
    attributed.setColour (colour);
    attributed.setJustification (where);
    attributed.setReadingDirection (isRightToLeft ? juce::AttributedString::rightToLeft
                                                  : juce::AttributedString::natural);
    juce::TextLayout layout;
    layout.createLayout (attributed, width);
    return layout;
}

TONEROW_END
