// SPDX-License-Identifier: ISC
// Licensing of {{PRODUCT_NAME}} with Tonerow, for JUCE 7.0.5 or newer and C++17.
//
//   juce::SharedResourcePointer<tonerow::License> license;   // one for all instances of the plugin
//
//   void processBlock (...)          { if (! license->isUnlocked()) buffer.clear(); ... }
//   activateButton.onClick = [this]  { license->activate (keyField.getText(), emailField.getText()); };
//   void changeListenerCallback (..) { showState (license->getState()); }
//
// Only the construction blocks (it reads a small file): the network has a thread of its own, and the audio thread reads one
// atomic flag. Without the network the plugin keeps working until its token expires, which the product decides ("offline
// days"). An answer that your keys did not sign for this very question is ignored: it neither unlocks nor locks anybody.
//
// A computer that never sees the network: save license->getMachineFile() to a file, exchange it for a license file on the page
// of the owner's products, and pass that file's text to license->readLicenseFile(). That needs pinnedKeys.
#pragma once

#include "TonerowToken.h"

#include <juce_core/juce_core.h>
#include <juce_data_structures/juce_data_structures.h>
#include <juce_events/juce_events.h>

#include <atomic>
#include <deque>

namespace tonerow
{

struct Settings
{
    juce::String serverUrl { "{{TONEROW_URL}}" };
    juce::String pluginKey { "{{PLUGIN_KEY}}" };
    juce::String productId { "{{PRODUCT_ID}}" };
    juce::String productName { "{{PRODUCT_NAME}}" };
    juce::String developerId { "{{DEVELOPER_ID}}" };
   #ifdef JucePlugin_VersionString
    juce::String version { JucePlugin_VersionString };
   #else
    juce::String version;
   #endif

    /** What {{TONEROW_URL}}/api/license/v1/jwks?dev={{DEVELOPER_ID}} answers, as { "kid", "x" }, ...
        With these only what your keys signed unlocks the plugin or locks it, whoever claims to be the server. Without, the
        keys are fetched from there, and who can answer in its place, or write the settings file, can do both.
    */
    std::vector<PublicKey> pinnedKeys;
};

struct State
{
    bool unlocked = false;
    bool trial = false;
    bool busy = false;
    juce::String licenseKey;
    juce::String message; // why it is locked, or what went wrong last; for the user
    juce::Time checkBefore; // from then on the server has to be asked again
};

/** Sends a change message, on the message thread, whenever the state may have changed. */
class License final : public juce::ChangeBroadcaster,
                      private juce::Thread
{
public:
    License();
    explicit License (Settings);
    ~License() override;

    /** All that the audio thread may call. */
    bool isUnlocked() const noexcept { return unlocked.load (std::memory_order_relaxed); }

    State getState() const;

    /** These return at once and notify listeners when they are done. */
    void activate (const juce::String& licenseKey, const juce::String& email);
    void validate();
    void deactivate();

    /** Starts the product's trial on this computer, or continues the one that was started before. */
    void startTrial();

    /** Takes the offline license file that was made for this computer. Anything else changes nothing. */
    void readLicenseFile (const juce::String& text);

    /** What the owner needs to get a license file for this computer: JSON, for a file of its own. */
    juce::String getMachineFile() const;

    /** Looks at the stored token, and asks the server when the last time was a day ago. Happens by itself, every hour. */
    void refresh();

private:
    struct Reply
    {
        bool ok = false;
        juce::String status; // empty when the license server did not answer, or somebody else did
        juce::String error;
        juce::String token;
        std::int64_t signedAt = 0;
    };

    struct Response
    {
        int httpStatus = 0; // 0 when there was no response
        Answer answer;
    };

    using Job = void (License::*)();

    void run() override;
    void add (Job);
    void activateNow();
    void validateNow();
    void deactivateNow();
    void startTrialNow();
    void readLicenseFileNow();
    void refreshNow();
    bool transferNow();

    Reply post (const juce::String& verb, const juce::var& body);
    Response request (const juce::URL&, bool isPost, const std::string& nonce);
    bool isGenuine (const Answer&, const Question&, std::int64_t& signedAt);
    juce::var makeBody() const;

    Verdict check (const juce::String& token, std::int64_t now);
    bool accept (const Reply&, const juce::String& licenseKey);
    void lockWith (const juce::String& message);
    void unlockWith (const Verdict&);
    void say (const juce::String& message);
    bool readStoredTokens();
    bool hasMoved() const;
    std::int64_t now() const;
    juce::String fetchKeys();
    std::vector<PublicKey> knownKeys() const;
    juce::String findMachineId();

    const Settings settings;
    const std::unique_ptr<SignatureVerifier> verifier;
    juce::InterProcessLock fileLock;
    juce::PropertiesFile file; // only the constructor and the thread use it
    const juce::String machineId;
    std::int64_t serverAhead = 0; // of this computer's clock, as of the last genuine answer

    std::atomic<bool> unlocked { false };

    mutable juce::CriticalSection lock; // of what follows
    State state;
    std::deque<Job> jobs;
    juce::String wantedKey, wantedEmail, wantedFile;
    juce::WebInputStream* running = nullptr;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (License)
};

} // namespace tonerow
