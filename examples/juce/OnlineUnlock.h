// Unlocks {{PRODUCT_NAME}} with JUCE's own juce_product_unlocking module: no other library, and JUCE's OnlineUnlockForm
// works as it is. The user types the e-mail address, and the license key where the form asks for a password.
//
//   tonerow::OnlineUnlock status (properties);                        // a juce::PropertiesFile that outlives it
//   addAndMakeVisible (form = new juce::OnlineUnlockForm (status, "Enter your e-mail and your license key"));
//
// Ask status.isUnlocked() on the message thread, and hand the audio thread a std::atomic<bool> of it.
// A key file does not end by itself and cannot be taken back while it is offline; TonerowLicense.h can do both. One whose
// seat is leased does end: it leaves isUnlocked() false, and is good while status.getExpiryTime() is later than now.
#pragma once

#include <juce_core/juce_core.h>
#include <juce_cryptography/juce_cryptography.h>
#include <juce_data_structures/juce_data_structures.h>
#include <juce_product_unlocking/juce_product_unlocking.h>

namespace tonerow
{

class OnlineUnlock final : public juce::OnlineUnlockStatus
{
public:
    explicit OnlineUnlock (juce::PropertiesFile& propertiesToUse) : properties (propertiesToUse)
    {
        load();
    }

    /** The product's name, as it is in Tonerow: the key file is made for it. */
    juce::String getProductID() override                                 { return "{{JUCE_PRODUCT_ID}}"; }
    bool doesProductIDMatch (const juce::String& returned) override      { return returned == getProductID(); }
    juce::RSAKey getPublicKey() override                                 { return juce::RSAKey ("{{RSA_PUBLIC_KEY}}"); }
    juce::String getWebsiteName() override                               { return getServerAuthenticationURL().getDomain(); }
    juce::URL getServerAuthenticationURL() override                      { return juce::URL ("{{TONEROW_URL}}/api/license/juce/unlock"); }

    void saveState (const juce::String& state) override
    {
        properties.setValue (stateName, state);
        properties.saveIfNeeded();
    }

    juce::String getState() override
    {
        return properties.getValue (stateName);
    }

    /** JUCE calls this on a thread of its own. The answer is XML whatever the HTTP status is. */
    juce::String readReplyFromWebserver (const juce::String& email, const juce::String& licenseKey) override
    {
        const auto url = getServerAuthenticationURL()
                             .withParameter ("product", getProductID())
                             .withParameter ("email", email.trim())
                             .withParameter ("pw", licenseKey.trim())
                             .withParameter ("os", juce::SystemStats::getOperatingSystemName())
                             .withParameter ("mach", getLocalMachineIDs()[0]);

        const auto options = juce::URL::InputStreamOptions (juce::URL::ParameterHandling::inPostData)
                                 .withExtraHeaders ("Authorization: Bearer {{PLUGIN_KEY}}")
                                 .withConnectionTimeoutMs (10000);

        const auto stream = url.createInputStream (options);
        return stream != nullptr ? stream->readEntireStreamAsString() : juce::String();
    }

private:
    static constexpr const char* stateName = "tonerow_unlock";
    juce::PropertiesFile& properties;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (OnlineUnlock)
};

} // namespace tonerow
