// SPDX-License-Identifier: ISC
#include "Editor.h"

Editor::Editor (Processor& processor) : AudioProcessorEditor (processor), panel (*processor.license)
{
    name.setText (JucePlugin_Name, juce::dontSendNotification);
    name.setJustificationType (juce::Justification::centred);
    addAndMakeVisible (name);
    addAndMakeVisible (licenseButton);
    // the panel lies over everything until it is done with, and is there again whenever somebody wants it
    addChildComponent (panel);
    panel.setVisible (! processor.license->isUnlocked());
    panel.onDone = [this] { panel.setVisible (false); };
    licenseButton.onClick = [this]
    {
        panel.setVisible (true);
        panel.grabKeyboardFocus();
    };
    setResizable (true, true);
    setResizeLimits (320, 240, 1280, 960);
    setSize (480, 360);
}

void Editor::paint (juce::Graphics& g) { g.fillAll (juce::Colour (0xff15181d)); }

void Editor::resized()
{
    auto area = getLocalBounds();
    panel.setBounds (area);
    licenseButton.setBounds (area.removeFromBottom (48).withSizeKeepingCentre (140, 32));
    name.setBounds (area);
}
