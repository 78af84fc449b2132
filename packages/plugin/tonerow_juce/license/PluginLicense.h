// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** The license of your plugin, for JUCE. All instances of a binary share one:

        struct MyLicense : tonerow::PluginLicense { MyLicense() : PluginLicense (myConfig()) {} };

        juce::SharedResourcePointer<MyLicense> license;   // in the processor
        tonerow::Gate gate;

        void prepareToPlay (double rate, int samples) override
        {
            gate.prepare (rate, samples, getTotalNumInputChannels(), license->isUnlocked(), license->loss());
            license->prepared();
        }

        void processBlock (juce::AudioBuffer<float>& buffer, juce::MidiBuffer&) override
        {
            gate.keep (buffer, license->isUnlocked(), license->loss());  // the input, before it is written over
            // your sound
            license->processed (buffer.getNumSamples(), getSampleRate());
            gate.process (buffer);
        }

    An instrument has no input: `gate.prepare (rate, license->isUnlocked())`, no `keep`, and
    `gate.process (buffer, license->isUnlocked())`.

    It is unlocked as soon as it is made, without a message loop: an offline render is never silent.
*/
class PluginLicense : private juce::Timer
{
public:
    explicit PluginLicense (const Config&);
    /** With other parts than this system's. */
    PluginLicense (const Config&, Parts);
    ~PluginLicense() override;

    struct Listener
    {
        virtual ~Listener() = default;
        /** On the message thread. */
        virtual void licenseChanged (PluginLicense&) = 0;
    };

    /** Any thread: one atomic load. */
    bool isUnlocked() const noexcept { return license.isUnlocked(); }

    /** Any thread: whether a license that was lost in this session lets sound through unprocessed, or mutes it. */
    OnLoss loss() const noexcept { return license.loss(); }

    /** The audio thread. */
    void processed (int samples, double sampleRate) noexcept
    {
        license.processed (static_cast<std::size_t> (juce::jmax (0, samples)), sampleRate);
    }

    /** In prepareToPlay. Nothing is sent before five seconds were processed. */
    void prepared();

    // the message thread
    View view() const { return license.view(); }

    void activate (const juce::String& serial, const juce::String& email);
    /** By a page that somebody confirms in a browser; see View::page. */
    void activateInBrowser() { license.activateInBrowser(); }
    /** When all seats are taken: a code to the owner, the computers that hold one, and one of them released. */
    void sendSeatsCode() { license.sendSeatsCode(); }
    void listSeats (const juce::String& code) { license.listSeats (code.toStdString()); }
    void releaseSeat (const std::string& seatId) { license.releaseSeat (seatId); }
    void lookForUpdate() { license.lookForUpdate(); }
    void tryAgain() { license.tryAgain(); }
    void forgetNotice() { license.forgetNotice(); }
    void startTrial() { license.startTrial(); }
    void checkNow() { license.checkNow(); }
    void cancel() { license.cancel(); }
    void release() { license.release(); }
    void editorOpened();
    void editorClosed();

    /** For saving: it stores a secret of this computer, by which the license file can be released. */
    juce::String machineFile() const;
    /** The text of a license file, or a file. */
    Notice readLicenseFile (const juce::String& text);
    Notice readLicenseFile (const juce::File&);
    /** Gives the license file up here for good: what frees its place, to be saved; empty where nothing could be
     * released.
     */
    juce::String releaseOffline();
    juce::String diagnostics() const;

    const Config& config() const noexcept { return settings; }

    void addListener (Listener*);
    void removeListener (Listener*);

    /** What the older example classes of Tonerow stored. */
    static Older olderLicense (const juce::String& productName);

    /** What this computer was called by earlier versions of a plugin: JUCE's own id of it, which the older example
        classes of Tonerow sent, and, where the plugin has the modules juce_product_unlocking and juce_data_structures,
        those of JUCE's OnlineUnlockStatus. On Linux JUCE starts programs to find them. */
    static std::vector<std::string> olderMachineIds();

private:
    void timerCallback() override;
    void adjustTimer();

    const Config settings;
    License license;
    juce::ListenerList<Listener> listeners;
    std::uint32_t heard = 0;
    int editors = 0;
    std::atomic<bool> isPrepared { false };

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (PluginLicense)
};

TONEROW_END
