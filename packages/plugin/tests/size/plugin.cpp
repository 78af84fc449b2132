// SPDX-License-Identifier: ISC
// An editor as every plugin has one, which asks a server of its own something, with and without a license.
#include <juce_gui_basics/juce_gui_basics.h>

#if WITH_LICENSE
    #include <tonerow_juce/tonerow_juce.h>
#endif

namespace
{

struct Editor final : juce::Component, juce::Button::Listener
{
    Editor()
    {
        for (auto* each : { static_cast<juce::Component*> (&label),
                            static_cast<juce::Component*> (&field),
                            static_cast<juce::Component*> (&button),
                            static_cast<juce::Component*> (&list) })
            addAndMakeVisible (each);

        button.addListener (this);
    }

    void paint (juce::Graphics& g) override
    {
        g.fillAll (juce::Colours::black);
        g.drawFittedText (juce::JSON::toString (juce::JSON::parse (field.getText())),
                          getLocalBounds(),
                          juce::Justification::centred,
                          3);
    }

    void buttonClicked (juce::Button*) override
    {
        juce::WebInputStream stream (juce::URL (field.getText()), true);
        label.setText (stream.readEntireStreamAsString(), juce::dontSendNotification);
        juce::SystemClipboard::copyTextToClipboard (label.getText());
    }

    juce::Label label;
    juce::TextEditor field;
    juce::TextButton button;
    juce::ComboBox list;
};

#if WITH_LICENSE
struct License : tonerow::PluginLicense
{
    License() : PluginLicense (tonerow::Config()) {}
};
#endif

} // namespace

int main()
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    Editor editor;
    editor.addToDesktop (0);
#if WITH_LICENSE
    License license;
    tonerow::Gate gate;
    gate.prepare (48000.0, license.isUnlocked());
#endif
#if WITH_PANEL
    tonerow::ActivationPanel panel (license, tonerow::Theme(), tonerow::Strings());
    editor.addAndMakeVisible (panel);
#endif
    juce::MessageManager::getInstance()->runDispatchLoop();
}
