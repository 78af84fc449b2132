// A plugin with TonerowLicense and the real JUCE, without a window: does what its standard input says, and answers each line
// with its state once nothing goes on any more.
#include "TonerowLicense.h"
#include "machine.h"

#include <iostream>

namespace
{

juce::String valueOf (const char* name)
{
    return juce::String::fromUTF8 (getenv (name));
}

struct Listener final : juce::ChangeListener
{
    void changeListenerCallback (juce::ChangeBroadcaster*) override { ++changes; }
    int changes = 0;
};

} // namespace

int main (int, char**)
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    tonerow::Settings settings;
    settings.serverUrl = valueOf ("TONEROW_URL");
    settings.pluginKey = valueOf ("PLUGIN_KEY");
    settings.productId = valueOf ("PRODUCT_ID");
    settings.developerId = valueOf ("DEVELOPER_ID");
    settings.productName = "Plugin";
    settings.version = "1.0.0";
    Listener listener;
    std::unique_ptr<tonerow::License> license;

    for (std::string line; std::getline (std::cin, line);)
    {
        const auto words = juce::StringArray::fromTokens (line.c_str(), " ", "");
        const auto verb = words[0];
        juce::String said;

        if (verb == "clock")      { Machine::setClock (words[1].getLargeIntValue()); }
        if (verb == "network")    { Machine::setOnline (words[1] == "on"); }
        if (verb == "pin")        { settings.pinnedKeys.push_back ({ words[1].toStdString(), words[2].toStdString() }); }
        if (verb == "open")       { license = std::make_unique<tonerow::License> (settings); license->addChangeListener (&listener); }
        if (verb == "close")      { license.reset(); }
        if (verb == "activate")   { license->activate (words[1], words[2]); }
        if (verb == "validate")   { license->validate(); }
        if (verb == "refresh")    { license->refresh(); }
        if (verb == "deactivate") { license->deactivate(); }
        if (verb == "trial")      { license->startTrial(); }
        if (verb == "read")       { license->readLicenseFile (juce::File (words[1]).loadFileAsString()); }
        if (verb == "machine")    { said = license->getMachineFile(); }

        // a plugin that is deleted while the server is being asked
        if (verb == "leave")
        {
            const auto before = Machine::connections();
            license->validate();

            while (Machine::connections() == before)
                juce::Thread::sleep (1);

            license.reset();
        }

        while (license != nullptr && license->getState().busy)
            juce::Thread::sleep (1);

        Machine::deliverMessages();

        if (license == nullptr)
        {
            std::cout << "closed" << std::endl;
            continue;
        }

        const auto state = license->getState();
        const juce::String fields[] { license->isUnlocked() && state.unlocked ? "unlocked" : "locked",
                                      juce::String (Machine::connections()),
                                      juce::String (state.checkBefore.toMilliseconds()),
                                      state.message,
                                      state.trial ? "trial" : "",
                                      state.licenseKey,
                                      juce::String (listener.changes),
                                      said.replaceCharacters ("\r\n\t", "   ") };
        std::cout << juce::StringArray (fields, juce::numElementsInArray (fields)).joinIntoString ("\t") << std::endl;
    }
}
