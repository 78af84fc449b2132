// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** How the panel looks. */
struct Theme
{
    juce::Colour background { 0xff15181d }, text { 0xfff2f4f7 }, quiet { 0xffaeb6c2 }, accent { 0xff2dd4bf },
        onAccent { 0xff06231f }, field { 0xff22272f }, outline { 0xff6b7583 }, warning { 0xfffbbf24 };
    float textHeight = 15.0f, corner = 6.0f;
    juce::String typeface; // empty for the system's
    juce::Image logo;

    static Theme light();
};

/** Every text of the panel. {product}, {days}, {serial}, {used}, {max}, {path}, {reason} are filled in. */
struct Strings
{
    juce::String welcomeTitle { "Activate {product}" }, welcomeBody { "Enter the serial that you received." },
        serial { "Serial" }, email { "Email address" }, activate { "Activate" }, paste { "Paste" },
        startTrial { "Start trial" }, offline { "No internet here" }, back { "Back" }, cancel { "Cancel" },
        working { "One moment..." }, done { "Continue" }, successTitle { "{product} is activated" },
        successBody { "Have fun." }, trialTitle { "Trial: {days} days left" },
        trialBody { "Enter a serial to keep {product}." }, trialEndedTitle { "The trial has ended" },
        trialEndedBody { "Enter a serial to keep using {product}." }, seatsTitle { "All computers are in use" },
        seatsBody {
            "This serial is activated on as many computers as it allows. Release one of them, in its plugin or on the "
            "page of your products, then try again."
        },
        tryAgain { "Try again" }, offlineTitle { "Without internet" },
        offlineBody {
            "1. Save the machine file.\n2. Exchange it for a license file on the page of your products, on any "
            "computer.\n3. Load that file here, or drop it."
        },
        saveMachineFile { "Save machine file" }, loadFile { "Load license file" },
        detailsTitle { "{product} is licensed" }, detailsBody { "Serial {serial}\nComputers: {used} of {max}" },
        release { "Release this computer" }, releaseTitle { "Release this computer?" },
        releaseBody { "{product} stops working here, and can be activated on another computer." },
        copyDiagnostics { "Copy diagnostics" }, checkSoonTitle { "Please connect to the internet" },
        checkSoonBody { "{product} has to be checked within {days} days." }, checkNow { "Check now" },
        expiredTitle { "The license has to be checked" },
        expiredBody { "Connect this computer to the internet, then check again." },
        revokedTitle { "This license was revoked" },
        revokedBody { "Ask the maker of {product}, or enter another serial." },
        finishing { "You can finish this session." }, otherTitle { "Activated on another computer" },
        otherBody { "Enter the serial to use {product} here." }, misconfiguredTitle { "{product} cannot be activated" },
        misconfiguredBody { "This version was built without its keys. Please tell its maker." },
        unreachable { "The license server could not be reached. Check the connection, or use a license file." },
        tooSlow { "The license server took too long. Please try again." },
        notGenuine { "Somebody answered, but not the license server. A portal of this network, perhaps?" },
        busyServer { "The license server is busy. Please try again in a minute." },
        unknownPlugin { "The license server does not know this plugin. Please tell its maker." },
        clockIsWrong { "This computer's clock is wrong. Please set it." }, emptySerial { "Please enter your serial." },
        wrongFile { "This is not a license file for {product} on this computer." },
        expiredFile { "This license file has expired. Please get a new one." },
        leaseLonger { "The license file that is in use lasts longer." },
        noChance { "This computer has no random numbers." },
        notStored { "Your license could not be stored in {path}: {reason}. It works until you close the plugin." },
        noHttps { "This build has no secure connections. Please use a license file." };
};

/** All screens of a license, inside the plugin's editor: never a window, never a dialog of its own but for files. */
class ActivationPanel final : public juce::Component,
                              public juce::FileDragAndDropTarget,
                              private PluginLicense::Listener
{
public:
    explicit ActivationPanel (PluginLicense&, Theme = {}, Strings = {});
    ~ActivationPanel() override;

    enum class Screen
    {
        welcome,
        working,
        success,
        trial,
        trialEnded,
        seatsFull,
        offline,
        details,
        confirmRelease,
        checkSoon,
        expired,
        revoked,
        otherMachine,
        misconfigured
    };

    Screen screen() const noexcept { return shown; }

    /** "Continue" was pressed: hide it. */
    std::function<void()> onDone;

    void paint (juce::Graphics&) override;
    void resized() override;
    bool keyPressed (const juce::KeyPress&) override;
    bool isInterestedInFileDrag (const juce::StringArray&) override;
    void filesDropped (const juce::StringArray&, int, int) override;

private:
    enum class Detour
    {
        none,
        success,
        serial,
        offline,
        confirmRelease
    };

    void licenseChanged (PluginLicense&) override;
    void update();
    Screen screenFor (const View&) const;
    void show (const View&);
    juce::String noticeFor (const View&) const;
    juce::String filled (juce::String, const View&) const;
    void setButtons (std::initializer_list<std::pair<juce::String, std::function<void()>>>);
    void activate();
    void saveMachineFile();
    void loadLicenseFile();
    void take (const juce::File&);
    void style();
    juce::Font font (float height, bool isBold = false) const;

    PluginLicense& license;
    const Theme theme;
    const Strings strings;
    Screen shown = Screen::welcome;
    Detour detour = Detour::none;
    Notice fileNotice = Notice::none;
    bool wasUnlocked = false, hasFields = false;

    juce::Viewport viewport;
    juce::Component content;
    juce::Label title, body, notice, serialLabel, emailLabel;
    juce::TextEditor serial, email;
    juce::OwnedArray<juce::TextButton> buttons;
    std::unique_ptr<juce::FileChooser> chooser;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (ActivationPanel)
};

TONEROW_END
