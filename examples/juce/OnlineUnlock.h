// SPDX-License-Identifier: ISC
// Unlocks {{PRODUCT_NAME}} with JUCE's own juce_product_unlocking module: no other library, and JUCE's OnlineUnlockForm
// works as it is. The user types the email address, and the license key where the form asks for a password.
//
//   tonerow::OnlineUnlock status (properties);                        // a juce::PropertiesFile that outlives it
//   addAndMakeVisible (form = new juce::OnlineUnlockForm (status, "Enter your email and your license key"));
//
//   void processBlock (...)     { if (! status.isAllowed()) buffer.clear(); ... }
//   status.onChange = [this]    { showState(); };                     // a license was unlocked, renewed or revoked
//
// Use isAllowed(), not JUCE's isUnlocked(): a key file that expires leaves isUnlocked() false, and nothing but this class
// looks at its date. Once a day it asks the server in the background, so that a revocation arrives, and renews a key file
// that expires. JUCE cannot verify what a server answers beyond TLS and the key file itself; the module in packages/plugin can.
#pragma once

#include <juce_core/juce_core.h>
#include <juce_cryptography/juce_cryptography.h>
#include <juce_data_structures/juce_data_structures.h>
#include <juce_events/juce_events.h>
#include <juce_product_unlocking/juce_product_unlocking.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

/** How long an answer may take in all. */
#ifndef TONEROW_MOST_MILLISECONDS
 #define TONEROW_MOST_MILLISECONDS 30000u
#endif

namespace tonerow
{

/** Create and delete it on the message thread. JUCE 6 or newer; machine ids that do not change need 7.0.5. */
class OnlineUnlock final : public juce::OnlineUnlockStatus,
                           private juce::Thread,
                           private juce::AsyncUpdater
{
public:
    explicit OnlineUnlock (juce::PropertiesFile& propertiesToUse)
        : juce::Thread ("Tonerow unlock"), properties (propertiesToUse)
    {
        // what was unlocked before this file kept the key file itself
        if (! properties.containsKey (keyFileName) && properties.containsKey (stateName))
            change ([&] { properties.setValue (keyFileName, keyFileIn (properties.getValue (stateName))); });

        use (read (properties.getValue (keyFileName)));
        updateStatus();
        // what was unlocked before this file kept the ids
        if (seatedMachine.isNotEmpty() && seatedMachine != everyComputer && ! properties.containsKey (machinesName))
            change ([&] { keepMachines(); });

        isConstructed = true;
        startThread();
    }

    ~OnlineUnlock() override
    {
        signalThreadShouldExit();
        cancelRequests();
        notify();
        // soon: no request is waited for
        waitForThreadToExit (-1);
        cancelPendingUpdate();
    }

    /** Whether the plugin may run: by a key file for this computer that has not expired. Any thread may call it. */
    bool isAllowed() const noexcept
    {
        const auto until = allowedUntil.load();

        if (until == forever)
            return true;

        return isBetween (allowedFrom.load(), until);
    }

    /** Called on the message thread when isAllowed() or getExpiryTime() may have changed. */
    std::function<void()> onChange;

    /** Takes a key file, an offline license file or the file of an unlock for good. One that is not for this product on this
        computer, or that has expired, changes nothing. Call it on the message thread instead of applyKeyFile(). */
    bool readLicenseFile (const juce::String& text)
    {
        if (! adopt (text))
            return false;

        updateStatus();
        return true;
    }

    /** Asks the server in the background, now rather than once a day. */
    void validate()
    {
        shouldAsk = true;
        notify();
    }

    /** Whether the server is being asked in the background. */
    bool isBusy() const noexcept { return busy || shouldAsk; }

    /** The product's JUCE product id, as it is in Tonerow: the key file is made for it. */
    juce::String getProductID() override                                 { return "{{JUCE_PRODUCT_ID}}"; }
    bool doesProductIDMatch (const juce::String& returned) override      { return returned == getProductID(); }
    juce::RSAKey getPublicKey() override                                 { return juce::RSAKey ("{{RSA_PUBLIC_KEY}}"); }
    juce::String getWebsiteName() override                               { return getServerAuthenticationURL().getDomain(); }
    juce::URL getServerAuthenticationURL() override                      { return juce::URL ("{{TONEROW_URL}}/api/license/juce/unlock"); }

    /** This computer's ids, and that of every computer: an unlock for good, which you sign when you give the plugin up, has a
        key file for that one. Tonerow makes no other key file for it. */
    juce::StringArray getLocalMachineIDs() override
    {
        auto ids = getOwnMachineIDs();
        ids.add (everyComputer);
        return ids;
    }

    void saveState (const juce::String& state) override
    {
        change ([&] { properties.setValue (stateName, state); });
        adopt (keyFileIn (state));
    }

    juce::String getState() override
    {
        return properties.getValue (stateName);
    }

    /** JUCE calls this on a thread of its own. The answer is XML whatever the HTTP status is. */
    juce::String readReplyFromWebserver (const juce::String& email, const juce::String& licenseKey) override
    {
        const auto reply = askForKeyFile (email.trim(), licenseKey.trim());
        const auto xml = juce::parseXML (reply);
        const auto* key = xml != nullptr ? xml->getChildByName ("KEY") : nullptr;

        if (key == nullptr)
            return reply;

        // JUCE would replace a working one with it, and show "Registration Complete!"
        if (! adopt (key->getAllSubText()))
            return "<ERROR error=\"The server's key file is not for this computer. Is its clock right?\"/>";

        change ([&]
        {
            properties.setValue (emailName, email.trim());
            properties.setValue (licenseKeyName, licenseKey.trim());
            properties.setValue (askedName, juce::String (juce::Time::currentTimeMillis()));
        });
        // JUCE's form does not save
        triggerAsyncUpdate();
        return reply;
    }

    void userCancelled() override
    {
        cancelRequests();
    }

private:
    static constexpr juce::int64 forever = -1;
    static constexpr const char* everyComputer = "EVERY-COMPUTER";
    static constexpr juce::int64 hour = 60 * 60 * 1000, day = 24 * hour;
    static constexpr const char* stateName = "tonerow_unlock";
    static constexpr const char* keyFileName = "tonerow_key_file";
    static constexpr const char* emailName = "tonerow_email";
    static constexpr const char* licenseKeyName = "tonerow_license_key";
    static constexpr const char* askedName = "tonerow_asked";
    static constexpr const char* machinesName = "tonerow_machines";

    /** The signed part of a key file. */
    struct KeyFile
    {
        juce::String machine; // the one of its machines that this computer is
        juce::int64 made = 0, until = 0;

        bool isForGood() const { return machine == everyComputer; }
    };

    /** A key file that expires is not good before it was made, or turning the clock back would make it last longer. */
    static bool isBetween (juce::int64 made, juce::int64 until) noexcept
    {
        const auto now = juce::Time::currentTimeMillis();
        return now < until && now > made - day;
    }

    //==============================================================================
    /** The first one gets the seat. The others are what older versions of JUCE and of this file used: they change with the
        network or the disk, but key files that were made for them stay good. */
    static juce::StringArray getOwnMachineIDs()
    {
        juce::StringArray ids;

       #if JUCE_LINUX
        // to JUCE, two computers of one model are the same, unless root asks
        for (const auto* file : { "/etc/machine-id", "/var/lib/dbus/machine-id" })
            if (const auto id = juce::File (file).loadFileAsString().trim(); ids.isEmpty() && id.length() == 32)
                ids.add (MachineIDUtilities::getEncodedIDString (id));
       #endif

       #if JUCE_VERSION >= 0x70005
        // without an id all computers would have the same
        if (juce::SystemStats::getUniqueDeviceID().isNotEmpty())
            ids.add (MachineIDUtilities::getUniqueMachineID());
       #endif

        JUCE_BEGIN_IGNORE_WARNINGS_GCC_LIKE ("-Wdeprecated-declarations")
        JUCE_BEGIN_IGNORE_WARNINGS_MSVC (4996)
        ids.addArray (MachineIDUtilities::getLocalMachineIDs());
        JUCE_END_IGNORE_WARNINGS_MSVC
        JUCE_END_IGNORE_WARNINGS_GCC_LIKE

        ids.removeEmptyStrings();
        ids.removeDuplicates (true);
        return ids;
    }

    /** Changes what is stored. Other hosts have the file open too, so the change is made to what it has by now, and not to
        what this one has read before. Nobody is waited for longer than 200 ms, and not at all in the constructor. JUCE itself
        waits by the time of day, which may be set back. */
    template <typename Change>
    void change (Change&& make)
    {
        const juce::ScopedLock scope (lock);
        juce::InterProcessLock others ("tonerow-" + juce::String::toHexString (properties.getFile().getFullPathName().hashCode64()));
        const auto begin = juce::Time::getMillisecondCounter();
        auto isAlone = others.enter (0);

        while (! isAlone && isConstructed && juce::Time::getMillisecondCounter() - begin < 200u)
        {
            juce::Thread::sleep (10);
            isAlone = others.enter (0);
        }

        // reloading leaves what others have removed
        if (properties.getFile().existsAsFile())
        {
            const juce::StringPairArray known (properties.getAllProperties());

            for (const auto* name : { stateName, keyFileName, emailName, licenseKeyName, askedName, machinesName })
                properties.removeValue (name);

            if (! properties.reload())
                properties.getAllProperties().addArray (known);
        }

        make();
        properties.saveIfNeeded();

        if (isAlone)
            others.exit();
    }

    /** The id that has the seat, and all ids that this computer has now. */
    void keepMachines()
    {
        juce::StringArray ids (seatedMachine);
        ids.addArray (getOwnMachineIDs());
        ids.removeDuplicates (true);
        properties.setValue (machinesName, ids.joinIntoString (","));
    }

    /** The id that had the seat before this computer's first id changed, as with an update of its BIOS. Empty on another
        computer: one of its ids has to be what it was. */
    juce::String getFormerMachine()
    {
        const auto kept = juce::StringArray::fromTokens (properties.getValue (machinesName), ",", {});

        for (const auto& id : getOwnMachineIDs())
            if (kept.contains (id, true))
                return kept[0];

        return {};
    }

    /** Takes a new key file as the one to go by. False if it is not for this product on this computer, or not for this time.
        One that lasts longer than the new one stays. */
    bool adopt (const juce::String& text)
    {
        const auto keyFile = read (text);

        if (keyFile.machine.isEmpty() || (keyFile.until != forever && ! isBetween (keyFile.made, keyFile.until)))
            return false;

        const juce::ScopedLock scope (lock);

        change ([&]
        {
            // perhaps another host has got a better one
            const auto stored = read (properties.getValue (keyFileName));

            if (lastsLonger (stored, allowedUntil))
                use (stored);

            // nothing lasts longer, and no license has to be good for it
            if (stored.isForGood())
                return;

            if (keyFile.until != forever && (allowedUntil == forever || allowedUntil > keyFile.until))
                return;

            use (keyFile);
            properties.setValue (keyFileName, text);

            if (! keyFile.isForGood())
                keepMachines();
        });
        return true;
    }

    static bool lastsLonger (const KeyFile& keyFile, juce::int64 until) noexcept
    {
        return keyFile.isForGood()
                || (keyFile.machine.isNotEmpty() && until != forever && (keyFile.until == forever || keyFile.until > until));
    }

    void use (const KeyFile& keyFile)
    {
        const juce::ScopedLock scope (lock);
        seatedMachine = keyFile.machine;
        allowedFrom = keyFile.made;
        allowedUntil = keyFile.until;
    }

    /** A license has ended on this computer. Another host may have unlocked with another one meanwhile. */
    void forget (const juce::String& licenseKey)
    {
        change ([&]
        {
            const auto stored = read (properties.getValue (keyFileName));

            if (stored.isForGood() || properties.getValue (licenseKeyName) != licenseKey)
                return use (stored);

            use ({});
            properties.removeValue (keyFileName);
        });
    }

    /** Empty when the text is no key file of this product, or not for this computer. What JUCE stores beside the key file is
        not signed, so nothing but this says when it expires. */
    KeyFile read (const juce::String& text)
    {
        juce::BigInteger value;
        value.parseString (text.fromLastOccurrenceOf ("#", false, false), 16);
        auto publicKey = getPublicKey();

        if (value.isZero() || ! publicKey.isValid())
            return {};

        publicKey.applyToValue (value);
        const auto bytes = value.toMemoryBlock();

        if (! juce::CharPointer_UTF8::isValidString (static_cast<const char*> (bytes.getData()), static_cast<int> (bytes.getSize())))
            return {};

        const auto xml = juce::parseXML (bytes.toString());

        if (xml == nullptr || ! xml->hasTagName ("key") || ! doesProductIDMatch (xml->getStringAttribute ("app"))
             || xml->getStringAttribute ("user").isEmpty() || xml->getStringAttribute ("email").isEmpty())
            return {};

        const auto doesExpire = xml->hasAttribute ("expiring_mach") && xml->hasAttribute ("expiryTime");
        const auto allowed = juce::StringArray::fromTokens (xml->getStringAttribute (doesExpire ? "expiring_mach" : "mach"), ",; ", {});

        for (const auto& id : getLocalMachineIDs())
            if (allowed.contains (id, true))
                return { id, xml->getStringAttribute ("date").getHexValue64(),
                         doesExpire ? xml->getStringAttribute ("expiryTime").getHexValue64() : forever };

        return {};
    }

    /** The key file in what JUCE stores. */
    static juce::String keyFileIn (const juce::String& state)
    {
        juce::MemoryBlock data;

        if (! data.fromBase64Encoding (state) || data.isEmpty())
            return {};

        return juce::ValueTree::readFromGZIPData (data.getData(), data.getSize()).getProperty ("key").toString();
    }

    /** Brings JUCE's status in line with the key file, and with nothing else that is stored. */
    void updateStatus()
    {
        juce::String keyFile;
        {
            const juce::ScopedLock scope (lock);
            properties.removeValue (stateName);
            keyFile = properties.getValue (keyFileName);
        }
        load();

        if (allowedUntil != 0)
        {
            juce::ignoreUnused (applyKeyFile (keyFile));
            save();
        }
    }

    void handleAsyncUpdate() override
    {
        updateStatus();

        if (onChange != nullptr)
            onChange();
    }

    //==============================================================================
    void run() override
    {
        while (! threadShouldExit())
        {
            busy = true;
            const auto asked = properties.getValue (askedName).getLargeIntValue();
            const auto age = juce::Time::currentTimeMillis() - asked;

            if (shouldAsk.exchange (false) || age >= day || age < 0 || ! isAllowed())
                ask();

            busy = false;

            if (! threadShouldExit())
                wait (static_cast<int> (hour));
        }
    }

    /** Asks whether the license is good. Anything but a response of the license server changes nothing. */
    void ask()
    {
        const auto licenseKey = properties.getValue (licenseKeyName);

        if (licenseKey.isEmpty() || read (properties.getValue (keyFileName)).isForGood())
            return;

        const auto primary = getOwnMachineIDs()[0];
        const auto former = getFormerMachine();
        juce::String machine;
        {
            const juce::ScopedLock scope (lock);
            machine = seatedMachine.isNotEmpty() ? seatedMachine : former.isNotEmpty() ? former : primary;
        }
        const auto answer = juce::JSON::parse (send (juce::URL ("{{TONEROW_URL}}/api/license/v1/validate")
                                                         .withParameter ("license_key", licenseKey)
                                                         .withParameter ("machine_id", machine)
                                                         .withParameter ("product_id", "{{PRODUCT_ID}}")));
        const auto status = answer.getProperty ("status", {}).toString();

        if (static_cast<bool> (answer.getProperty ("ok", false)) && status == "active")
        {
            change ([&] { properties.setValue (askedName, juce::String (juce::Time::currentTimeMillis())); });

            // it has to be made longer, or for the id that does not change, or again because the license is good once more
            if (allowedUntil != forever || machine != primary)
                renew (licenseKey);
        }
        else if (isEnding (status))
        {
            forget (licenseKey);
            triggerAsyncUpdate();
        }
    }

    void renew (const juce::String& licenseKey)
    {
        const auto xml = juce::parseXML (askForKeyFile (properties.getValue (emailName), licenseKey));

        if (const auto* key = xml != nullptr ? xml->getChildByName ("KEY") : nullptr)
            if (adopt (key->getAllSubText()))
                triggerAsyncUpdate();
    }

    /** Statuses that end a license on this computer. */
    static bool isEnding (const juce::String& status)
    {
        return juce::StringArray ("revoked", "expired", "not_activated", "not_found", "product_mismatch").contains (status);
    }

    //==============================================================================
    juce::String askForKeyFile (const juce::String& email, const juce::String& licenseKey)
    {
        auto url = getServerAuthenticationURL()
                       .withParameter ("product", getProductID())
                       .withParameter ("email", email)
                       .withParameter ("pw", licenseKey)
                       .withParameter ("os", juce::SystemStats::getOperatingSystemName());

        // the first is this computer's; a seat that one of the others has moves to it
        const auto ids = getOwnMachineIDs();

        for (const auto& id : ids)
            url = url.withParameter ("mach", id);

        if (const auto former = getFormerMachine(); former.isNotEmpty() && ! ids.contains (former, true))
            url = url.withParameter ("mach", former);

        return send (url);
    }

    /** A request has a thread of its own: while a name server does not answer, nothing ends it, and JUCE's cancel() waits, too,
        with a lock that the next request would wait for. */
    struct Request
    {
        explicit Request (juce::URL urlToUse) : url (std::move (urlToUse)) {}

        void run()
        {
            if (isWanted)
                body = receive();

            isDone = true;
            changed.signal();
        }

        juce::String receive()
        {
            juce::WebInputStream stream (url, true);
            stream.withExtraHeaders ("Authorization: Bearer {{PLUGIN_KEY}}").withConnectionTimeout (10000);
            {
                const juce::ScopedLock scope (lock);
                running = &stream;
            }

            juce::MemoryOutputStream received;
            char bytes[16]; // JUCE waits until it has as many

            if (isWanted && stream.connect (nullptr))
                for (auto size = 1; size > 0 && received.getDataSize() < (1 << 20) && isWanted;)
                {
                    size = stream.read (bytes, sizeof (bytes));
                    received.write (bytes, static_cast<size_t> (juce::jmax (0, size)));
                }

            const juce::ScopedLock scope (lock);
            running = nullptr;
            return received.toUTF8();
        }

        void forget()
        {
            isWanted = false;
            changed.signal();
        }

        void cancel()
        {
            const juce::ScopedLock scope (lock);

            if (running != nullptr)
                running->cancel();
        }

        /** Whether it is done, this long from now at most, or as soon as nobody wants it any more. */
        bool wait (juce::uint32 milliseconds, bool evenIfUnwanted)
        {
            const auto begin = juce::Time::getMillisecondCounter();

            for (juce::uint32 gone = 0; ! isDone && gone < milliseconds && (evenIfUnwanted || isWanted);)
            {
                changed.wait (static_cast<int> (milliseconds - gone));
                gone = juce::Time::getMillisecondCounter() - begin;
            }

            return isDone;
        }

        const juce::URL url;
        juce::CriticalSection lock;
        juce::WebInputStream* running = nullptr;
        juce::String body;
        std::atomic<bool> isWanted { true }, isDone { false };
        juce::WaitableEvent changed;
    };

    /** Posts the parameters as a form; empty when there is no response. */
    juce::String send (const juce::URL& url)
    {
        const auto request = std::make_shared<Request> (url);
        {
            const juce::ScopedLock scope (lock);

            if (threadShouldExit())
                return {};

            requests.push_back (request);
        }

        std::thread thread ([request] { request->run(); });
        // neither one that drips is waited for, nor one that nobody wants any more
        const auto isAnswered = request->wait (TONEROW_MOST_MILLISECONDS, false);
        {
            const juce::ScopedLock scope (lock);
            requests.erase (std::remove (requests.begin(), requests.end(), request), requests.end());
        }

        if (isAnswered)
        {
            thread.join();
            return request->body;
        }

        request->forget();
        std::thread cancelling ([request] { request->cancel(); });

        if (request->wait (100, true))
        {
            thread.join();
            cancelling.join();
        }
        else
        {
            // they end when the system lets them; until then the code that they run has to stay
            pinThisBinary();
            thread.detach();
            cancelling.detach();
        }

        return {};
    }

    /** A host that closes the plugin leaves it in memory. */
    static void pinThisBinary()
    {
        static juce::DynamicLibrary self (juce::File::getSpecialLocation (juce::File::currentExecutableFile).getFullPathName());
        juce::ignoreUnused (self);
    }

    void cancelRequests()
    {
        const juce::ScopedLock scope (lock);

        for (const auto& request : requests)
            request->forget();
    }

    juce::PropertiesFile& properties;
    std::atomic<juce::int64> allowedUntil { 0 }, allowedFrom { 0 };
    std::atomic<bool> shouldAsk { false }, busy { true };
    bool isConstructed = false;

    juce::CriticalSection lock; // of what follows
    juce::String seatedMachine;
    std::vector<std::shared_ptr<Request>> requests;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (OnlineUnlock)
};

} // namespace tonerow
