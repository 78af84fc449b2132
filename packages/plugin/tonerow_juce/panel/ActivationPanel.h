// SPDX-License-Identifier: ISC
#pragma once

#include "Strings.h"
#include "Theme.h"

TONEROW_BEGIN

/** All screens of a license, inside the plugin's editor: never a window, never a dialog of its own but for files.
   Nothing in it moves, so there is no motion to reduce. */
class ActivationPanel final : public juce::Component,
                              public juce::FileDragAndDropTarget,
                              private PluginLicense::Listener,
                              private juce::FocusChangeListener
{
public:
    explicit ActivationPanel (PluginLicense&, Theme = {}, Strings = Strings::ofThisSystem());
    ~ActivationPanel() override;

    enum class Screen
    {
        welcome,
        browser,
        working,
        success,
        trial,
        trialEnded,
        seatsFull,
        seatsCode,
        seats,
        confirmSeat,
        offline,
        details,
        confirmRelease,
        released,
        checkSoon,
        expired,
        revoked,
        otherMachine,
        misconfigured,
        forGood,
        update,
        error
    };

    Screen screen() const noexcept { return shown; }

    /** Shows a screen as it looks with such a view, until the license changes: to try a theme or texts of your own. */
    void preview (Screen, const View&);

    /** "Continue" was pressed: hide it. */
    std::function<void()> onDone;

    /** How an address is opened; the system's browser, unless you set it. */
    std::function<void (const juce::String& address)> onOpenAddress;

    void paint (juce::Graphics&) override;
    void resized() override;
    bool keyPressed (const juce::KeyPress&) override;
    bool isInterestedInFileDrag (const juce::StringArray&) override;
    void filesDropped (const juce::StringArray&, int, int) override;

private:
    /** Where the customer went, beside what the license shows by itself. */
    enum class Detour
    {
        none,
        success,
        offline,
        confirmRelease,
        released,
        seatsCode,
        confirmSeat,
        update,
        error
    };

    struct Choice
    {
        juce::String text;
        std::function<void()> action;
        bool isOneOfMany = false; // and so none that is meant first
    };

    /** A text, in whole and in its own direction. */
    class TextLabel final : public juce::Label
    {
    public:
        void paint (juce::Graphics&) override;
        int heightFor (int width) const;

        bool isRightToLeft = false;

    private:
        juce::TextLayout layoutFor (float width) const;
    };

    class PanelButton final : public juce::TextButton
    {
    public:
        PanelButton (const juce::String& text, const Theme& t, bool isFirst) :
            TextButton (text), theme (t), isMain (isFirst)
        {
        }

        void paintButton (juce::Graphics&, bool isOver, bool isDown) override;
        int heightFor (int width) const;

    private:
        juce::Font font() const;

        const Theme& theme;
        const bool isMain;
    };

    /** Dark on light whatever the theme, because that is what phones read. */
    class QrView final : public juce::Component
    {
    public:
        void show (const std::string& address);
        bool isEmpty() const noexcept { return ! code.has_value(); }
        /** Of whole pixels for each module. */
        int sideFor (int most) const noexcept;

        void paint (juce::Graphics&) override;
        std::unique_ptr<juce::AccessibilityHandler> createAccessibilityHandler() override;

    private:
        std::string shown;
        std::optional<QrCode> code;
    };

    void licenseChanged (PluginLicense&) override;
    void globalFocusChanged (juce::Component*) override;
    void update();
    Screen screenFor (const View&) const;
    void show (Screen, const View&);
    static bool canBeChecked (const View&);
    std::pair<juce::String, juce::String> textsOf (Screen, const View&) const;
    std::vector<Choice> choicesOf (Screen, const View&);
    juce::String noticeFor (const View&) const;
    juce::String refusalFor (const View&) const;
    juce::String reasonFor (const FileTrouble&) const;
    juce::String triedIn (const View&) const;
    juce::String filled (juce::String, const View&) const;
    void setButtons (const std::vector<Choice>&);
    void showFields (const View&);
    void go (Detour);
    bool leave();
    void later (std::function<void()>);
    void open (const juce::String& address);
    void activate();
    void paste();
    void giveUp();
    void saveMachineFile();
    void saveReleaseFile();
    void save (const juce::String& title, const juce::String& name, std::function<juce::String()> text);
    void loadLicenseFile();
    void take (Notice);
    void style();
    void focusFirst();

    PluginLicense& license;
    const Theme theme;
    const Strings strings;
    Screen shown = Screen::welcome;
    Detour detour = Detour::none, beforeError = Detour::none;
    Notice fileNotice = Notice::none;
    juce::String ownNotice, shownButtons;
    Seat chosenSeat;
    bool wasUnlocked = false, hasSerial = false, hasCode = false;

    juce::Viewport viewport;
    juce::Component content;
    TextLabel title, body, notice, serialLabel, emailLabel, codeLabel;
    juce::TextEditor serial, email, code;
    QrView qr;
    juce::OwnedArray<PanelButton> buttons;
    std::unique_ptr<juce::FileChooser> chooser;

    JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR (ActivationPanel)
};

TONEROW_END
