// A plugin with OnlineUnlock and the real JUCE, without a window: does what its standard input says, and answers each line
// with its state. Values of placeholders come from the environment, so that one program serves all tests.
#include "machine.h"

inline juce::String valueOf (const char* name)
{
    return juce::String::fromUTF8 (getenv (name));
}

#include "OnlineUnlock.h"

#include <future>
#include <iostream>

namespace
{

std::unique_ptr<juce::PropertiesFile> openProperties()
{
    juce::PropertiesFile::Options options;
    options.applicationName = "Plugin";
    options.folderName = "Plugin";
    options.filenameSuffix = "settings";
    options.osxLibrarySubFolder = "Application Support";
    options.millisecondsBeforeSaving = -1;
    return std::make_unique<juce::PropertiesFile> (options);
}

juce::String readFile (const juce::String& path)
{
    return juce::File (path).loadFileAsString();
}

} // namespace

int main (int, char**)
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    std::unique_ptr<juce::PropertiesFile> properties;
    std::unique_ptr<tonerow::OnlineUnlock> status;
    juce::String said;
    int changes = 0;

    for (std::string line; std::getline (std::cin, line);)
    {
        const auto words = juce::StringArray::fromTokens (line.c_str(), " ", "");
        const auto verb = words[0];
        said = {};

        if (verb == "clock")   { Machine::setClock (words[1].getLargeIntValue()); }
        if (verb == "network") { Machine::setOnline (words[1] == "on"); }
        if (verb == "names")   { Machine::setNamesHeard (words[1] == "on"); }
        if (verb == "locks")   { said = juce::String (Machine::locksTried()); }
        if (verb == "set")     { setenv (words[1].toRawUTF8(), words[2].toRawUTF8(), 1); }
        if (verb == "close")   { status.reset(); properties.reset(); }
        if (verb == "read")    { said = status->readLicenseFile (readFile (words[1])) ? "taken" : "refused"; }
        if (verb == "ids")     { said = status->getLocalMachineIDs().joinIntoString (","); }
        if (verb == "load")    { status->load(); }
        if (verb == "stored")  { said = properties->getValue (words[1]); }
        if (verb == "store")   { properties->setValue (words[1], words[2]); properties->saveIfNeeded(); }
        if (verb == "forget")  { properties->removeValue (words[1]); properties->saveIfNeeded(); }

        if (verb == "open")
        {
            properties = openProperties();
            status = std::make_unique<tonerow::OnlineUnlock> (*properties);
            status->onChange = [&changes] { ++changes; };
        }

        // as JUCE's OnlineUnlockForm does it: on a thread, and without save()
        if (verb == "unlock")
        {
            const auto result = std::async (std::launch::async, [&] { return status->attemptWebserverUnlock (words[1], words[2]); }).get();
            said = (result.succeeded ? "succeeded: " : "failed: ") + result.errorMessage + result.informativeMessage;
        }

        // as a developer may call them who has JUCE's own documentation
        if (verb == "apply")   { status->applyKeyFile (readFile (words[1])); status->save(); }

        if (verb == "validate") { status->validate(); }

        // a process that has the lock in the shared folder, and never gives it back
        if (verb == "hold")
        {
            static juce::InterProcessLock held ("tonerow-" + juce::String::toHexString (properties->getFile().getFullPathName().hashCode64()));
            said = held.enter (0) ? "held" : "not held";
        }

        // a plugin that is deleted while a name is being asked for
        if (verb == "quit")
        {
            status->validate();

            while (Machine::namesAsked() == 0)
                juce::Thread::sleep (1);

            const auto begin = juce::Time::getMillisecondCounter();
            status.reset();
            said = juce::String (juce::Time::getMillisecondCounter() - begin);
        }

        // a plugin that is deleted while the server is being asked
        if (verb == "leave")
        {
            const auto before = Machine::connections();
            status->validate();

            while (Machine::connections() == before)
                juce::Thread::sleep (1);

            status.reset();
        }

        // somebody who edits the settings: the key file, and beside it what JUCE would believe
        if (verb == "tamper")
        {
            juce::ValueTree state ("REG");
            state.setProperty ("key", properties->getValue ("tonerow_key_file"), nullptr);
            state.setProperty ("u", true, nullptr);
            state.setProperty ("t", juce::int64 (4000000000000), nullptr);
            juce::MemoryOutputStream data;
            {
                juce::GZIPCompressorOutputStream zip (data);
                state.writeToStream (zip);
            }
            properties->setValue ("tonerow_unlock", data.getMemoryBlock().toBase64Encoding());
            properties->saveIfNeeded();
        }

        while (status != nullptr && status->isBusy())
            juce::Thread::sleep (1);

        Machine::deliverMessages();

        if (status == nullptr)
            std::cout << "closed\t" << said << std::endl;
        else
            std::cout << (status->isAllowed() ? "allowed" : "locked") << '\t' << (static_cast<bool> (status->isUnlocked()) ? "unlocked" : "-") << '\t'
                      << status->getExpiryTime().toMilliseconds() << '\t' << Machine::connections() << '\t' << changes << '\t' << said.replaceCharacters ("\r\n\t", "   ") << std::endl;
    }
}
