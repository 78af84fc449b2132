// SPDX-License-Identifier: ISC
#pragma once

#include "Processor.h"

class Editor final : public juce::AudioProcessorEditor
{
public:
    explicit Editor (Processor&);

    void paint (juce::Graphics&) override;
    void resized() override;

private:
    juce::Label name;
    juce::TextButton licenseButton { "License" };
    tonerow::ActivationPanel panel;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (Editor)
};
