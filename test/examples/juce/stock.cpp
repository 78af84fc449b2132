// A plugin as JUCE's own examples show it: OnlineUnlockStatus with a request as TracktionMarketplaceStatus makes it, and
// nothing of Tonerow's but the address. Its values come from the environment.
#include "machine.h"

#include <juce_product_unlocking/juce_product_unlocking.h>

#include <future>
#include <iostream>

namespace
{

juce::String valueOf (const char* name)
{
    return juce::String::fromUTF8 (getenv (name));
}

struct StockStatus final : juce::OnlineUnlockStatus
{
    juce::String getProductID() override                            { return valueOf ("PRODUCT_NAME"); }
    bool doesProductIDMatch (const juce::String& id) override       { return id == getProductID(); }
    juce::RSAKey getPublicKey() override                            { return juce::RSAKey (valueOf ("RSA_PUBLIC_KEY")); }
    juce::String getWebsiteName() override                          { return "the shop"; }
    juce::URL getServerAuthenticationURL() override                 { return juce::URL (valueOf ("UNLOCK_URL")); }
    void saveState (const juce::String& newState) override          { state = newState; }
    juce::String getState() override                                { return state; }

    juce::String readReplyFromWebserver (const juce::String& email, const juce::String& password) override
    {
        const auto url = getServerAuthenticationURL()
                             .withParameter ("product", getProductID())
                             .withParameter ("email", email)
                             .withParameter ("pw", password)
                             .withParameter ("os", juce::SystemStats::getOperatingSystemName())
                             .withParameter ("mach", getLocalMachineIDs()[0]);
        juce::WebInputStream stream (url, valueOf ("METHOD") != "GET");
        return stream.connect (nullptr) ? stream.readEntireStreamAsString() : juce::String();
    }

    /** The guide recommends this for the day when the plugin is given up. */
    juce::StringArray getLocalMachineIDs() override
    {
        auto ids = juce::OnlineUnlockStatus::getLocalMachineIDs();

        if (valueOf ("EVERY_COMPUTER").isNotEmpty())
            ids.add ("EVERY-COMPUTER");

        return ids;
    }

    juce::String state;
};

} // namespace

int main (int, char**)
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    StockStatus status;

    for (std::string line; std::getline (std::cin, line);)
    {
        const auto words = juce::StringArray::fromTokens (line.c_str(), " ", "");
        juce::String said;

        if (words[0] == "clock") { Machine::setClock (words[1].getLargeIntValue()); }
        if (words[0] == "set")   { setenv (words[1].toRawUTF8(), line.substr (5 + words[1].getNumBytesAsUTF8()).c_str(), 1); }
        if (words[0] == "apply") { said = status.applyKeyFile (juce::File (words[1]).loadFileAsString()) ? "applied" : "refused"; }
        if (words[0] == "again") { status.save(); status.load(); }
        if (words[0] == "ids")   { said = status.getLocalMachineIDs().joinIntoString (","); }

        if (words[0] == "unlock")
        {
            const auto result = std::async (std::launch::async, [&] { return status.attemptWebserverUnlock (words[1], words[2]); }).get();
            said = (result.succeeded ? "succeeded: " : "failed: ") + result.errorMessage + result.informativeMessage;
        }

        std::cout << (static_cast<bool> (status.isUnlocked()) ? "unlocked" : "locked") << '\t' << status.getExpiryTime().toMilliseconds() << '\t'
                  << status.getUserEmail() << '\t' << said.replaceCharacters ("\r\n\t", "   ") << std::endl;
    }
}
