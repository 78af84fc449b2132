// SPDX-License-Identifier: ISC
// Every screen of the panel, as it is drawn. TONEROW_PICTURES names a folder for the pictures.
#include <tonerow_juce/tonerow_juce.h>

#include <tonerow/json.h>
#include <tonerow/sha256.h>

#include "check.h"
#include "support.h"

#include <set>

using namespace support;
using Screen = ActivationPanel::Screen;

namespace
{

void pump (const std::function<bool()>& isSo)
{
    for (auto i = 0; i < 300 && ! isSo(); ++i)
        juce::MessageManager::getInstance()->runDispatchLoopUntil (10);

    CHECK (isSo());
}

/** All components below one that are to be seen. */
void collect (juce::Component& parent, std::vector<juce::Component*>& into)
{
    for (auto* child : parent.getChildren())
    {
        if (! child->isVisible())
            continue;

        into.push_back (child);
        collect (*child, into);
    }
}

/** What a screen reader says of it. */
juce::String nameOf (juce::Component& component)
{
    auto* handler = component.getAccessibilityHandler();
    return handler != nullptr ? handler->getTitle() : juce::String();
}

/** JUCE ignores what X complains of in a program of its own alone; without a window manager that is much, and would end
 * the test. */
const bool isProgram = []
{
    juce::JUCEApplicationBase::createInstance = []() -> juce::JUCEApplicationBase* { return nullptr; };
    return true;
}();

/** In a window, without which nothing is there for a screen reader. */
void openWindow (ActivationPanel& panel)
{
    if (panel.getPeer() == nullptr)
        panel.addToDesktop (juce::ComponentPeer::windowIsTemporary);
}

juce::Font plainFont (float height, const juce::String& typeface = {})
{
    const auto name = typeface.isEmpty() ? juce::Font::getDefaultSansSerifFontName() : typeface;
#if JUCE_MAJOR_VERSION >= 8
    return juce::Font (juce::FontOptions (name, height, juce::Font::plain));
#else
    return juce::Font (name, height, juce::Font::plain);
#endif
}

/** That a text has room in so much, without a line that is cut. */
bool hasRoom (const juce::String& text, const juce::Font& font, int width, int height)
{
    const auto most = static_cast<float> (width);
    const auto layout = laidOutToFit (text, font, juce::Colours::black, most, juce::Justification::topLeft);
    auto fits = layout.getHeight() <= static_cast<float> (height) + 0.5f;

    for (auto i = 0; i < layout.getNumLines(); ++i)
        fits = fits && layout.getLine (i).getLineBoundsX().getLength() <= most + 1.0f;

    return fits;
}

void draw (ActivationPanel& panel, const juce::String& name, bool isTwice = true)
{
    const auto* folder = std::getenv ("TONEROW_PICTURES");

    if (folder == nullptr)
        return;

    for (const auto scale : { 1.0f, 2.0f })
    {
        if (scale > 1.0f && ! isTwice)
            continue;

        const auto image = panel.createComponentSnapshot (panel.getLocalBounds(), true, scale);
        const auto file = juce::File (folder).getChildFile (name + (scale > 1.0f ? "@2x.png" : ".png"));
        file.deleteFile();
        juce::FileOutputStream stream (file);
        CHECK (juce::PNGImageFormat().writeImageToStream (image, stream));
    }
}

/** What holds for every screen at every size. */
void inspect (ActivationPanel& panel, const juce::String& name)
{
    openWindow (panel);

    for (const auto& size : { juce::Rectangle<int> (320, 240), juce::Rectangle<int> (520, 420) })
    {
        panel.setSize (size.getWidth(), size.getHeight());
        draw (panel, name + "-" + juce::String (size.getWidth()));
        std::vector<juce::Component*> all;
        collect (panel, all);
        auto buttons = 0;

        for (auto* each : all)
        {
            if (auto* button = dynamic_cast<juce::TextButton*> (each))
            {
                ++buttons;
                CHECK (button->getButtonText().isNotEmpty());
                CHECK (button->getWantsKeyboardFocus());
                CHECK (nameOf (*button) == button->getButtonText());
                CHECK (button->getWidth() > 40 && button->getRight() <= size.getWidth());
            }

            if (auto* editor = dynamic_cast<juce::TextEditor*> (each))
                CHECK (nameOf (*editor).isNotEmpty());

            if (auto* label = dynamic_cast<juce::Label*> (each))
            {
                CHECK (! label->getText().contains ("{"));
                CHECK (label->getRight() <= size.getWidth());
                CHECK (hasRoom (label->getText(), label->getFont(), label->getWidth(), label->getHeight()));
                CHECK (nameOf (*label) == label->getText());
            }

            // nothing lies over its neighbor
            for (auto* other : all)
                if (other != each && other->getParentComponent() == each->getParentComponent()
                    && dynamic_cast<juce::Label*> (each) != nullptr
                    && dynamic_cast<juce::TextButton*> (other) != nullptr)
                    CHECK (! each->getBounds().intersects (other->getBounds()));
        }

        CHECK (buttons > 0);
    }
}

/** What stands at the end of a text, beside what a third more letters would take. */
Strings longer (bool isRightToLeft)
{
    Strings strings;
    strings.isRightToLeft = isRightToLeft;
    // longer by a third, with accents, and in brackets that show where one is cut off
    strings.each (
        [] (const char*, juce::String& text)
        {
            const auto accented =
                text.replace ("e", juce::String::fromUTF8 ("é")).replace ("a", juce::String::fromUTF8 ("å"));
            // the places of what is filled in stay as they are
            text = "[" + (text.contains ("{") ? text : accented)
                   + juce::String::repeatedString ("x ", text.length() / 6) + "]";
        });
    return strings;
}

struct Shown
{
    Screen screen;
    const char* name;
    View view;
};

/** Each screen, with a view that fills it. */
std::vector<Shown> everyScreen()
{
    View full;
    full.daysLeft = 1;
    full.serialMasked = "AAAA-…-DDDD";
    full.seatsUsed = 2;
    full.seatsMax = 3;
    full.page = { "https://licenses.example.com/device?code=BCDF-GHJK", "BCDF-GHJK" };
    full.seats = { { "1", "Studio", "2026-03-09", false },
                   { "2", "MacBook Pro de Véronique (salon)", "2026-12-31", false } };
    full.update.version = "1.10.2";
    full.update.notes = "Less noise, and a reverb that is as long as a cathedral’s.";
    full.update.link = "https://ada.example/roehre";
    auto failed = full;
    failed.notice = Notice::busyServer;
    failed.attempt = { Busy::activating,
                       "licenses.a-developer-with-a-long-name.example.com",
                       503,
                       "0193a7f2-53c1-7abc-8def-0123456789ab",
                       1773144000 };
    auto unstored = full;
    unstored.storeTrouble = { "/Users/nina/Library/Application Support/Tonerow/Ada Audio/product-1.lic",
                              "x",
                              FileProblem::denied };
    auto leased = full;
    leased.state = State::leased;
    auto releasable = leased;
    releasable.isReleasable = true;
    auto released = full;
    released.isReleased = true;
    auto refused = failed;
    refused.notice = Notice::refused;
    refused.status = "quota_blocked";
    auto ended = full;
    ended.status = "expired";
    auto finishing = full;
    finishing.isFinishing = true;
    auto empty = full;
    empty.seats.clear();
    return { { Screen::welcome, "welcome", full },
             { Screen::welcome, "welcome-refused", refused },
             { Screen::browser, "browser", full },
             { Screen::working, "working", full },
             { Screen::success, "success", full },
             { Screen::success, "success-unstored", unstored },
             { Screen::trial, "trial", full },
             { Screen::trialEnded, "trial-ended", failed },
             { Screen::seatsFull, "seats-full", full },
             { Screen::seatsCode, "seats-code", full },
             { Screen::seats, "seats", full },
             { Screen::seats, "seats-none", empty },
             { Screen::confirmSeat, "confirm-seat", full },
             { Screen::offline, "offline", full },
             { Screen::offline, "offline-released", released },
             { Screen::details, "details", full },
             { Screen::details, "details-leased", leased },
             { Screen::details, "details-releasable", releasable },
             { Screen::confirmRelease, "confirm-release", full },
             { Screen::confirmRelease, "confirm-give-up", releasable },
             { Screen::released, "released", released },
             { Screen::checkSoon, "check-soon", failed },
             { Screen::expired, "expired", full },
             { Screen::expired, "ended", ended },
             { Screen::revoked, "revoked", finishing },
             { Screen::otherMachine, "other-machine", full },
             { Screen::misconfigured, "misconfigured", full },
             { Screen::forGood, "for-good", full },
             { Screen::update, "update", full },
             { Screen::error, "error", failed } };
}

/** That no word of people is torn; an address, an id and Japanese may be. */
bool hasWholeWords (const juce::String& text, const juce::Font& font, int width)
{
    for (const auto& word : juce::StringArray::fromTokens (text, false))
    {
        auto isPlain = ! word.containsAnyOf ("./-_:");

        for (const auto c : word)
            isPlain = isPlain && c < 0x2e80;

        if (isPlain && brokenToFit (word, font, static_cast<float> (width)) != word)
            return false;
    }

    return true;
}

/** What is on a screen that lies over something else, is cut off, or cannot be reached. */
juce::StringArray faultsOf (ActivationPanel& panel, const Theme& theme)
{
    juce::StringArray faults;
    std::vector<juce::Component*> all, shown;
    collect (panel, all);

    // the texts of an editor, and a scroll bar, are their own
    for (auto* each : all)
        if (each->getParentComponent()->getParentComponent() != nullptr
            && dynamic_cast<juce::TextEditor*> (each->getParentComponent()) == nullptr
            && (dynamic_cast<juce::Label*> (each) != nullptr || dynamic_cast<juce::TextEditor*> (each) != nullptr
                || dynamic_cast<juce::TextButton*> (each) != nullptr || each->getTitle().isNotEmpty()))
            shown.push_back (each);

    const auto font = plainFont (theme.textHeight, theme.typeface);

    for (auto* each : shown)
    {
        const auto name = nameOf (*each);
        const auto area = each->getBounds();
        const auto inside = each->getParentComponent()->getLocalBounds();

        if (! inside.contains (area))
            faults.add ("outside: " + name);

        const auto across = panel.getLocalArea (each->getParentComponent(), area);

        if (across.getX() < 0 || across.getRight() > panel.getWidth() - 8)
            faults.add ("beside the panel: " + name);

        if (auto* label = dynamic_cast<juce::Label*> (each))
            if (! hasRoom (label->getText(), label->getFont(), label->getWidth(), label->getHeight())
                || ! hasWholeWords (label->getText(), label->getFont(), label->getWidth()))
                faults.add ("cut: " + name);

        if (auto* button = dynamic_cast<juce::TextButton*> (each))
            if (! hasRoom (button->getButtonText(), font, button->getWidth() - 20, button->getHeight())
                || ! hasWholeWords (button->getButtonText(), font, button->getWidth() - 20))
                faults.add ("cut: " + name);

        for (auto* other : shown)
            if (other != each && other->getParentComponent() == each->getParentComponent()
                && area.intersects (other->getBounds()))
                faults.add ("over " + nameOf (*other) + ": " + name);
    }

    if (shown.size() < 2)
        faults.add ("nothing is there");

    return faults;
}

bool hasLabel (ActivationPanel& panel, const juce::String& text)
{
    std::vector<juce::Component*> all;
    collect (panel, all);
    return std::any_of (all.begin(),
                        all.end(),
                        [&] (auto* each)
                        {
                            auto* label = dynamic_cast<juce::Label*> (each);
                            return label != nullptr && label->getText() == text;
                        });
}

juce::TextButton* buttonOf (ActivationPanel& panel, const juce::String& text)
{
    std::vector<juce::Component*> all;
    collect (panel, all);

    for (auto* each : all)
        if (auto* button = dynamic_cast<juce::TextButton*> (each))
            if (button->getButtonText() == text)
                return button;

    check::fail (__FILE__, __LINE__, ("no button " + text).toStdString());
    return nullptr;
}

bool hasButton (ActivationPanel& panel, const juce::String& text)
{
    std::vector<juce::Component*> all;
    collect (panel, all);
    return std::any_of (all.begin(),
                        all.end(),
                        [&] (auto* each)
                        {
                            auto* button = dynamic_cast<juce::TextButton*> (each);
                            return button != nullptr && button->getButtonText() == text;
                        });
}

juce::TextEditor* editorOf (ActivationPanel& panel, const juce::String& title)
{
    std::vector<juce::Component*> all;
    collect (panel, all);

    for (auto* each : all)
        if (auto* editor = dynamic_cast<juce::TextEditor*> (each))
            if (editor->getTitle() == title)
                return editor;

    check::fail (__FILE__, __LINE__, ("no field " + title).toStdString());
    return nullptr;
}

void press (ActivationPanel& panel, const juce::String& text)
{
    if (auto* button = buttonOf (panel, text))
        button->onClick();
}

} // namespace

TEST ("panel: a customer activates, sees what is licensed, and releases, with every screen in order")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;

    for (const auto isDark : { true, false })
    {
        const juce::String look = isDark ? "dark-" : "light-";
        World world;
        PluginLicense license (world.config(), world.parts());
        ActivationPanel panel (license, isDark ? Theme() : Theme::light(), Strings());
        auto isDone = false;
        panel.onDone = [&] { isDone = true; };
        CHECK (panel.screen() == Screen::welcome);
        inspect (panel, look + "welcome");

        press (panel, "Activate");
        pump ([&] { return hasLabel (panel, "Please enter your serial."); });
        CHECK (panel.screen() == Screen::welcome);
        inspect (panel, look + "welcome-empty");

        world.server->seats = { "a", "b" };
        editorOf (panel, "Serial")->setText (world.server->serial);
        editorOf (panel, "Email address")->setText ("nina@example.com");
        press (panel, "Activate");
        pump ([&] { return panel.screen() == Screen::seatsFull; });
        inspect (panel, look + "seats-full");

        std::atomic<bool> isHeld { true };
        world.server->seats.clear();
        world.server->instead = [&] (const HttpRequest&, HttpExchange& exchange)
        {
            while (isHeld && ! exchange.mustStop())
                sleepMilliseconds (1);

            return false;
        };
        press (panel, "Try again");
        pump ([&] { return panel.screen() == Screen::working; });
        inspect (panel, look + "working");
        isHeld = false;
        pump ([&] { return panel.screen() == Screen::success; });
        inspect (panel, look + "success");
        press (panel, "Continue");
        pump ([&] { return isDone && panel.screen() == Screen::details; });
        inspect (panel, look + "details");

        press (panel, "Release this computer");
        pump ([&] { return panel.screen() == Screen::confirmRelease; });
        inspect (panel, look + "confirm-release");
        press (panel, "Back");
        pump ([&] { return panel.screen() == Screen::details; });
        press (panel, "Release this computer");
        pump ([&] { return panel.screen() == Screen::confirmRelease; });
        press (panel, "Release this computer");
        pump ([&] { return panel.screen() == Screen::welcome; });
        CHECK (! license.isUnlocked());
        CHECK (world.server->seats.empty());

        press (panel, "No internet here");
        pump ([&] { return panel.screen() == Screen::offline; });
        inspect (panel, look + "offline");
        const auto path = world.folder.path + "/license.txt";
        writeText (path, "nothing");
        panel.filesDropped ({ path }, 0, 0);
        CHECK (panel.screen() == Screen::offline);
        inspect (panel, look + "offline-wrong-file");
        Claims claims;
        claims.machineId = world.machineId();
        claims.issuedAt = world.clock->time;
        claims.expiresAt = claims.issuedAt + 90 * day;
        writeText (path, makeLicenseFile (makeToken (world.server->signer, claims)));
        panel.filesDropped ({ path }, 0, 0);
        CHECK (panel.screen() == Screen::success);
        CHECK (license.isUnlocked());
    }
}

TEST ("panel: a phone or a browser confirms, with a QR code that has the whole address")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    juce::String opened;
    panel.onOpenAddress = [&] (const juce::String& address) { opened = address; };
    press (panel, "Use a browser");
    pump ([&] { return panel.screen() == Screen::browser; });
    inspect (panel, "browser");
    CHECK (hasLabel (panel, "Open the page here, or scan it with a phone. Compare the code: BCDF-GHJK"));
    std::vector<juce::Component*> all;
    collect (panel, all);
    const auto isPicture = [] (juce::Component* each)
    {
        auto* handler = each->getAccessibilityHandler();
        return handler != nullptr && handler->getRole() == juce::AccessibilityRole::image
               && handler->getTitle() == "QR code of the page";
    };
    const auto picture = std::find_if (all.begin(), all.end(), isPicture);
    CHECK (picture != all.end());

    // what is drawn is the address, module by module
    if (picture != all.end())
    {
        const auto code = *QrCode::of (world.server->pageAddress);
        const auto image = (*picture)->createComponentSnapshot ((*picture)->getLocalBounds());
        const auto modules = code.size() + 2 * QrCode::quietZone;
        const auto side = (*picture)->getWidth() / modules;
        auto isSame = side >= 1;

        for (auto y = 0; y < modules; ++y)
            for (auto x = 0; x < modules; ++x)
            {
                const auto cx = x - QrCode::quietZone, cy = y - QrCode::quietZone;
                const auto isInside = cx >= 0 && cy >= 0 && cx < code.size() && cy < code.size();
                const auto isDark = image.getPixelAt (x * side + side / 2, y * side + side / 2).getBrightness() < 0.5f;
                isSame = isSame && isDark == (isInside && code.isDark (cx, cy));
            }

        CHECK (isSame);
    }

    press (panel, "Open page");
    pump ([&] { return opened.isNotEmpty(); });
    EQUAL (opened.toStdString(), world.server->pageAddress);
    press (panel, "Cancel");
    pump ([&] { return panel.screen() == Screen::welcome; });
    press (panel, "Use a browser");
    pump ([&] { return panel.screen() == Screen::browser; });
    world.server->answeredInBrowser = "yes";
    pump ([&] { return panel.screen() == Screen::success; });
    CHECK (license.isUnlocked());
}

TEST ("panel: releases another computer with a code from the owner's email, and takes its seat")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    world.server->seats = { "a", "b" };
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    editorOf (panel, "Serial")->setText (world.server->serial);
    press (panel, "Activate");
    pump ([&] { return panel.screen() == Screen::seatsFull; });
    press (panel, "Release another computer");
    pump ([&] { return panel.screen() == Screen::seatsCode; });
    inspect (panel, "seats-code");
    editorOf (panel, "Code")->setText ("XXXX-XXXX");
    press (panel, "Show computers");
    pump ([&] { return hasLabel (panel, "This code is wrong, or it has expired."); });
    CHECK (panel.screen() == Screen::seatsCode);
    editorOf (panel, "Code")->setText ("BCDF-GHJK");
    press (panel, "Show computers");
    pump ([&] { return panel.screen() == Screen::seats; });
    inspect (panel, "seats");
    press (panel, "Studio a, March 9, 2026");
    pump ([&] { return panel.screen() == Screen::confirmSeat; });
    inspect (panel, "confirm-seat");
    CHECK (hasLabel (panel, "Release Studio a?"));
    // escape goes back one screen at a time
    CHECK (panel.keyPressed (juce::KeyPress (juce::KeyPress::escapeKey)));
    CHECK (panel.screen() == Screen::seats);
    press (panel, "Studio a, March 9, 2026");
    pump ([&] { return panel.screen() == Screen::confirmSeat; });
    press (panel, "Release it");
    pump ([&] { return panel.screen() == Screen::success; });
    EQUAL (world.server->seats.front(), std::string ("b"));
    EQUAL (world.server->seats.size(), 2u);
}

TEST ("panel: pastes a serial or a whole license file, and says when there is nothing")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    juce::SystemClipboard::copyTextToClipboard ({});
    press (panel, "Paste");
    pump ([&] { return hasLabel (panel, "There is no text to paste."); });
    juce::SystemClipboard::copyTextToClipboard ("  AAAA-BBBB-CCCC-DDDD\nThank you for your purchase");
    press (panel, "Paste");
    pump ([&] { return editorOf (panel, "Serial")->getText() == "AAAA-BBBB-CCCC-DDDD"; });
    CHECK (! hasLabel (panel, "There is no text to paste."));
    press (panel, "No internet here");
    pump ([&] { return panel.screen() == Screen::offline; });
    juce::SystemClipboard::copyTextToClipboard ("nothing of use");
    press (panel, "Paste license text");
    pump (
        [&] {
            return hasLabel (panel,
                             juce::String::fromUTF8 ("This is not a license file for Röhre 2 on this computer."));
        });
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + 90 * day;
    juce::SystemClipboard::copyTextToClipboard (
        juce::String::fromUTF8 (makeLicenseFile (makeToken (world.server->signer, claims)).c_str()));
    press (panel, "Paste license text");
    pump ([&] { return panel.screen() == Screen::success; });
    press (panel, "Continue");
    pump ([&] { return panel.screen() == Screen::details; });
    // there is no seat that could be released from here
    CHECK (hasLabel (panel, "By a license file. Days left: 90."));
    CHECK (! hasButton (panel, "Release this computer"));
    CHECK (hasButton (panel, "Use a browser"));

    // it has ended: nothing can be checked, but everything else be tried
    world.clock->time += 91 * day;
    PluginLicense later (world.config(), world.parts());
    ActivationPanel after (later, Theme(), Strings());
    pump ([&] { return after.screen() == Screen::expired; });
    CHECK (hasLabel (after, "This license has ended"));
    CHECK (! hasButton (after, "Check now"));
    CHECK (editorOf (after, "Serial")->isVisible());
    inspect (after, "ended");
    world.server->isOnline = true;
    editorOf (after, "Serial")->setText (juce::String (world.server->serial));
    press (after, "Activate");
    pump ([&] { return after.screen() == Screen::success; });
}

TEST ("panel: gives a license file up, shows its release file, and takes that license file no more")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + 90 * day;
    claims.releaseHash =
        JsonObject::parse (license.machineFile().toStdString()).value_or (JsonObject()).text ("release_hash");
    const auto path = world.folder.path + "/license.txt";
    writeText (path, makeLicenseFile (makeToken (world.server->signer, claims)));
    panel.filesDropped ({ path }, 0, 0);
    press (panel, "Continue");
    pump ([&] { return panel.screen() == Screen::details; });
    press (panel, "Release this computer");
    pump ([&] { return panel.screen() == Screen::confirmRelease; });
    press (panel, "Release this computer");
    pump ([&] { return panel.screen() == Screen::released; });
    CHECK (! license.isUnlocked());
    CHECK (hasButton (panel, "Save release file"));
    press (panel, "Copy release text");
    pump ([&] { return juce::SystemClipboard::getTextFromClipboard().isNotEmpty(); });
    const auto proof = JsonObject::parse (juce::SystemClipboard::getTextFromClipboard().toStdString());
    EQUAL (proof ? sha256Hex (proof->text ("release")) : std::string(), claims.releaseHash);
    EQUAL (world.server->count(), 0u);

    press (panel, "Back");
    pump ([&] { return panel.screen() == Screen::welcome; });
    panel.filesDropped ({ path }, 0, 0);
    CHECK (! license.isUnlocked());
    press (panel, "No internet here");
    pump ([&] { return panel.screen() == Screen::offline; });
    CHECK (hasButton (panel, "Save release file"));
    panel.filesDropped ({ path }, 0, 0);
    pump ([&] { return hasLabel (panel, Strings().spentFile); });
}

// JUCE deprecates what its own class goes on sending
JUCE_BEGIN_IGNORE_WARNINGS_GCC_LIKE ("-Wdeprecated-declarations")
TEST ("panel: a plugin that was licensed by JUCE's own class sends the ids that it sent")
{
    const auto older = PluginLicense::olderMachineIds();
    const auto has = [&] (const juce::String& id)
    { return std::find (older.begin(), older.end(), id.toStdString()) != older.end(); };
    using Ids = juce::OnlineUnlockStatus::MachineIDUtilities;
    CHECK (! Ids::getLocalMachineIDs().isEmpty());
    CHECK (has (Ids::getLocalMachineIDs()[0]));
#if JUCE_VERSION >= 0x70003
    CHECK (has (Ids::getUniqueMachineID()));
    CHECK (has (juce::SystemStats::getUniqueDeviceID()));
#endif
    CHECK (older.size() <= 8);

    // the seat that JUCE's class took moves to the computer's new id
    World world;
    world.server->seats = { "L0123456789" };
    world.olderMachineIds = { "L0123456789" };
    PluginLicense license (world.config(), world.parts());
    license.activate (juce::String (world.server->serial), "");
    CHECK (eventually ([&] { return license.isUnlocked(); }));
    EQUAL (world.server->seats.size(), 1u);
}
JUCE_END_IGNORE_WARNINGS_GCC_LIKE

TEST ("panel: a newer version is one button away, and an unlock for good is a file that is dropped")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    world.server->newest = "1.1";
    auto config = world.config();
    config.redemptionPage = "https://licenses.example.com/my";
    PluginLicense license (config, world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    juce::String opened;
    panel.onOpenAddress = [&] (const juce::String& address) { opened = address; };
    press (panel, "My products");
    pump ([&] { return opened == "https://licenses.example.com/my"; });
    CHECK (! hasButton (panel, "Version 1.1 is available"));
    license.lookForUpdate();
    pump ([&] { return hasButton (panel, "Version 1.1 is available"); });
    press (panel, "Version 1.1 is available");
    pump ([&] { return panel.screen() == Screen::update; });
    CHECK (hasLabel (panel, "Less noise."));
    inspect (panel, "update");
    press (panel, "Open its page");
    pump ([&] { return opened == "https://ada.example/roehre"; });
    press (panel, "Back");
    pump ([&] { return panel.screen() == Screen::welcome; });

    const auto path = world.folder.path + "/for-good.txt";
    writeText (path, makeLicenseFile (makeUnlock (world.server->signer, "product-1", 1000, "unlock+jwt")));
    panel.filesDropped ({ path }, 0, 0);
    CHECK (panel.screen() == Screen::success);
    press (panel, "Continue");
    pump ([&] { return panel.screen() == Screen::forGood; });
    inspect (panel, "for-good");
}

TEST ("panel: every text is in five languages, and none is forgotten or the same by mistake")
{
    EQUAL (Strings::languages().joinIntoString (" ").toStdString(), std::string ("en de fr es ja"));
    std::vector<juce::String> english;
    Strings().each ([&] (const char*, juce::String& text) { english.push_back (text); });
    CHECK (english.size() > 90);

    for (const auto& language : Strings::languages())
    {
        auto strings = Strings::in (language + "-XX");
        std::size_t at = 0, same = 0;
        strings.each (
            [&] (const char* name, juce::String& text)
            {
                if (text.isEmpty())
                    check::fail (__FILE__, __LINE__, name);

                // what is filled in is filled in everywhere
                for (const auto* part : { "{product}",
                                          "{days}",
                                          "{serial}",
                                          "{used}",
                                          "{max}",
                                          "{code}",
                                          "{seat}",
                                          "{day}",
                                          "{version}",
                                          "{notes}",
                                          "{path}",
                                          "{reason}",
                                          "{number}",
                                          "{month}",
                                          "{year}",
                                          "{host}",
                                          "{answer}",
                                          "{time}",
                                          "{request}" })
                    if (text.contains (part) != english[at].contains (part))
                        check::fail (__FILE__, __LINE__, std::string (name) + ": " + part);

                same += text == english[at++] ? 1 : 0;
            });
        CHECK (language == "en" ? same == english.size() : same < 6);
    }

    // days as people write them
    const std::pair<const char*, const char*> days[] = { { "en", "March 9, 2026" },
                                                         { "de", "9. März 2026" },
                                                         { "fr", "9 mars 2026" },
                                                         { "es", "9 de marzo de 2026" },
                                                         { "ja", "2026年3月9日" } };

    for (const auto& [language, day] : days)
        CHECK (Strings::in (language).dayFor ("2026-03-09") == juce::String::fromUTF8 (day));

    for (const auto* other : { "", "today", "2026-13-01", "2026-03" })
        CHECK (Strings().dayFor (other) == other);

    CHECK (Strings::in ("pt_BR").back == "Back");
    CHECK (Strings::in ("DE_at").activate == "Aktivieren");
}

TEST ("panel: what the server refuses, and what a disk does, is said in the customer's language")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    const auto german = Strings::in ("de");
    World world;
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), german);
    editorOf (panel, german.serial)->setText (world.server->serial);

    for (const auto* status :
         { "quota_blocked", "not_yet_valid", "leased", "not_activated", "invalid_token", "invalid_request" })
    {
        world.server->status = status;
        const auto text = german.refusal (status).replace ("{product}", juce::String::fromUTF8 ("Röhre 2"));
        CHECK (text.isNotEmpty() && german.refusal (status) != Strings().refusal (status));
        press (panel, german.activate);
        pump ([&] { return hasLabel (panel, text); });
    }

    // what is new on the server is shown in its words
    world.server->status = "of_tomorrow";
    press (panel, german.activate);
    pump ([&] { return hasLabel (panel, "Refused: of_tomorrow"); });
    world.server->status = "active";

    // a file where the folder should be
    world.home = world.folder.path + "/file";
    writeText (world.home, "no folder");
    PluginLicense other (world.config(), world.parts());
    ActivationPanel second (other, Theme(), german);
    editorOf (second, german.serial)->setText (world.server->serial);
    press (second, german.activate);
    pump ([&] { return second.screen() == Screen::success; });
    const auto where = juce::String (other.view().storeTrouble.path);
    CHECK (hasLabel (second, german.notStored.replace ("{path}", where).replace ("{reason}", german.reasonNotAFolder)));

    // no home at all
    auto parts = world.parts();
    parts.places.user.clear();
    PluginLicense homeless (world.config(), parts);
    ActivationPanel third (homeless, Theme(), german);
    pump ([&] { return hasLabel (third, german.notStoredAnywhere); });
}

TEST ("panel: what went wrong has its details, which can be copied, tried again, and left")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    world.server->seats = { "a" };
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    const auto said = [&panel] (const juce::String& part)
    {
        std::vector<juce::Component*> all;
        collect (panel, all);
        return std::any_of (all.begin(),
                            all.end(),
                            [&part] (auto* each)
                            {
                                auto* label = dynamic_cast<juce::Label*> (each);
                                return label != nullptr && label->getText().contains (part);
                            });
    };
    // nothing was asked
    press (panel, "Activate");
    pump ([&] { return hasLabel (panel, "Please enter your serial."); });
    CHECK (! hasButton (panel, "Details"));

    // no network
    world.server->isOnline = false;
    editorOf (panel, "Serial")->setText (world.server->serial);
    press (panel, "Activate");
    pump ([&] { return hasButton (panel, "Details"); });
    press (panel, "Details");
    pump ([&] { return panel.screen() == Screen::error; });
    inspect (panel, "error");
    CHECK (said ("License server: licenses.example.com\nAnswer: none\nTime: March 10, 2026 "));
    CHECK (! said ("Request:"));
    CHECK (panel.keyPressed (juce::KeyPress (juce::KeyPress::escapeKey)));
    CHECK (panel.screen() == Screen::welcome);
    press (panel, "Details");
    pump ([&] { return panel.screen() == Screen::error; });

    // a server in trouble, which is asked the same again
    world.server->isOnline = true;
    world.server->instead = [] (const HttpRequest&, HttpExchange& exchange)
    {
        exchange.setStatus (503);
        exchange.addHeader ("X-Request-Id", "0193-abc");
        exchange.finish();
        return true;
    };
    const auto asked = world.server->count();
    press (panel, "Try again");
    pump ([&] { return said ("The license server is busy.") && hasButton (panel, "Details"); });
    EQUAL (world.server->count(), asked + 1);
    press (panel, "Details");
    pump ([&] { return said ("Answer: HTTP 503\n") && said ("Request: 0193-abc"); });
    juce::SystemClipboard::copyTextToClipboard ({});
    press (panel, "Copy diagnostics");
    pump ([&] { return juce::SystemClipboard::getTextFromClipboard().contains ("\"http_status\":503"); });
    CHECK (juce::SystemClipboard::getTextFromClipboard().contains ("\"request\":\"0193-abc\""));
    CHECK (! juce::SystemClipboard::getTextFromClipboard().contains ("AAAA"));
    world.server->instead = nullptr;
    press (panel, "Try again");
    pump ([&] { return panel.screen() == Screen::success; });
    CHECK (! hasButton (panel, "Details"));
}

TEST ("panel: a check that somebody wants is seen, and can be canceled")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    {
        PluginLicense license (world.config(), world.parts());
        license.activate (juce::String (world.server->serial), "");
        CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    }
    world.server->isOnline = false;
    world.clock->time += 28 * day;
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    pump ([&] { return panel.screen() == Screen::checkSoon && hasButton (panel, "Details"); });
    world.server->instead = [] (const HttpRequest&, HttpExchange& exchange)
    {
        while (! exchange.mustStop())
            sleepMilliseconds (1);

        return true;
    };
    press (panel, "Check now");
    pump ([&] { return panel.screen() == Screen::working; });
    CHECK (license.isUnlocked());
    press (panel, "Cancel");
    pump ([&] { return panel.screen() == Screen::checkSoon; });
    CHECK (! hasButton (panel, "Details"));
    world.server->instead = nullptr;
    world.server->isOnline = true;
    press (panel, "Check now");
    pump ([&] { return panel.screen() == Screen::details; });
}

TEST ("panel: no text of its own is beside the strings, and long ones and right-to-left fit at 320 by 240")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;

    for (const auto isRightToLeft : { false, true })
    {
        const juce::String look = isRightToLeft ? "rtl-" : "pseudo-";
        const auto strings = longer (isRightToLeft);
        World world;
        world.server->seats = { "a", "b" };
        PluginLicense license (world.config(), world.parts());
        ActivationPanel panel (license, Theme(), strings);
        const auto looksRight = [&] (Screen screen, const char* name)
        {
            pump ([&] { return panel.screen() == screen; });
            inspect (panel, look + name);
            std::vector<juce::Component*> all;
            collect (panel, all);

            for (auto* each : all)
            {
                auto* label = dynamic_cast<juce::Label*> (each);
                auto* button = dynamic_cast<juce::TextButton*> (each);

                if (label != nullptr)
                    CHECK (label->getText().startsWith ("[") && label->getText().endsWith ("]"));

                if (button != nullptr)
                    CHECK (button->getButtonText().startsWith ("[") && button->getButtonText().endsWith ("]"));

                // everything begins on the right
                if (label != nullptr && isRightToLeft)
                    CHECK (label->getRight() > panel.getWidth() - 60);
            }
        };
        panel.setSize (520, 420);
        looksRight (Screen::welcome, "welcome");
        press (panel, strings.activate);
        pump ([&] { return hasLabel (panel, strings.emptySerial); });
        looksRight (Screen::welcome, "welcome-empty");
        press (panel, strings.browser);
        looksRight (Screen::browser, "browser");
        press (panel, strings.cancel);
        looksRight (Screen::welcome, "welcome-canceled");
        editorOf (panel, strings.serial)->setText (world.server->serial);
        press (panel, strings.activate);
        looksRight (Screen::seatsFull, "seats-full");
        press (panel, strings.releaseAnother);
        looksRight (Screen::seatsCode, "seats-code");
        press (panel, strings.back);
        looksRight (Screen::welcome, "welcome-again");
        press (panel, strings.offline);
        looksRight (Screen::offline, "offline");
        press (panel, strings.back);
        world.server->seats.clear();
        looksRight (Screen::welcome, "welcome-last");
        press (panel, strings.activate);
        looksRight (Screen::success, "success");
        press (panel, strings.done);
        looksRight (Screen::details, "details");
        press (panel, strings.release);
        looksRight (Screen::confirmRelease, "confirm-release");
    }
}

TEST ("panel: every screen fits in each language, at each size, in light and dark")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    std::vector<std::pair<juce::String, Strings>> languages { { "pseudo", longer (false) }, { "rtl", longer (true) } };

    for (const auto& each : Strings::languages())
        languages.emplace_back (each, Strings::in (each));

    const World world;
    auto config = world.config();
    config.redemptionPage = "https://licenses.example.com/my";
    const auto screens = everyScreen();
    std::set<Screen> seen;

    for (const auto isDark : { true, false })
        for (const auto& [language, strings] : languages)
        {
            auto theme = isDark ? Theme() : Theme::light();
            theme.typeface = typefaceFor (strings.welcomeBody);
            PluginLicense license (config, world.parts());
            ActivationPanel panel (license, theme, strings);
            openWindow (panel);

            for (const auto& [width, height] :
                 { std::pair { 320, 240 }, std::pair { 520, 420 }, std::pair { 900, 700 } })
                for (const auto& each : screens)
                {
                    panel.setSize (width, height);
                    panel.preview (each.screen, each.view);
                    CHECK (panel.screen() == each.screen);
                    seen.insert (each.screen);
                    const auto look = juce::String (isDark ? "dark-" : "light-") + language + "-" + each.name;

                    for (const auto& fault : faultsOf (panel, theme))
                        check::fail (
                            __FILE__, __LINE__, (look + "-" + juce::String (width) + ": " + fault).toStdString());

                    if (width < 900)
                        draw (panel, look + "-" + juce::String (width), language == "en");
                }
        }

    // a new screen has to be among them
    EQUAL (seen.size(), static_cast<std::size_t> (Screen::error) + 1);
}

TEST ("panel: a line ends where a word would be wider than it, and nothing of it is lost")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    const auto font = plainFont (15.0f);
    const auto utf8 = [] (const char* text) { return juce::String::fromUTF8 (text); };
    // what fits is left to the system
    EQUAL (brokenToFit ("one two three", font, 60.0f).toStdString(), "one two three");
    EQUAL (brokenToFit ("", font, 60.0f).toStdString(), "");

    for (const auto& text : { utf8 ("受け取ったシリアル番号を入力するか、ブラウザーを使ってください。"),
                              juce::String ("License server: licenses.a-developer-with-a-long-name.example.com") })
        for (const auto width : { 60.0f, 90.0f, 200.0f })
        {
            const auto broken = brokenToFit (text, font, width);
            CHECK (broken.containsChar ('\n'));
            CHECK (broken.removeCharacters ("\n ") == text.removeCharacters (" "));

            for (const auto& line : juce::StringArray::fromLines (broken))
                CHECK (hasRoom (line, font, static_cast<int> (width), 1000) && ! line.startsWith (utf8 ("、"))
                       && ! line.startsWith (utf8 ("。")));
        }

    // narrower than any letter, it ends all the same
    EQUAL (brokenToFit ("abc", font, 1.0f).toStdString(), "a\nb\nc");
}

TEST ("panel: what is laid over something, or is cut, would be found")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    const World world;
    PluginLicense license (world.config(), world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    panel.setSize (520, 420);
    openWindow (panel);
    CHECK (faultsOf (panel, Theme()).isEmpty());
    auto* button = buttonOf (panel, "Activate");
    const auto good = button->getBounds();

    for (const auto& bad :
         { good.withWidth (24), good.withHeight (8), good.withY (0), good.withX (500), good.withY (100000) })
    {
        button->setBounds (bad);
        CHECK (! faultsOf (panel, Theme()).isEmpty());
    }
}

TEST ("panel: the keyboard reaches everything in order, is seen, and no key of a text reaches the host")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());

    // a host's editor, which hears every key that nobody took
    struct Host final : juce::Component
    {
        bool keyPressed (const juce::KeyPress&) override
        {
            ++keys;
            return true;
        }

        int keys = 0;
    };

    Host host;
    host.setSize (320, 240);
    host.setWantsKeyboardFocus (true);
    ActivationPanel panel (license, Theme(), Strings());
    panel.setBounds (host.getLocalBounds());
    host.addAndMakeVisible (panel);
    host.addToDesktop (juce::ComponentPeer::windowIsTemporary);
    host.setVisible (true);
    std::vector<juce::String> order;
    const auto traverser = panel.createKeyboardFocusTraverser();

    for (auto* each : traverser->getAllComponents (&panel))
        order.push_back (nameOf (*each));

    const std::vector<juce::String> expected { "Serial",        "Email address", "Activate",        "Paste",
                                               "Use a browser", "Start trial",   "No internet here" };
    CHECK (order == expected);

    auto* serial = editorOf (panel, "Serial");

    // its window is mapped by and by
    for (auto i = 0; i < 100 && ! serial->hasKeyboardFocus (true); ++i)
    {
        juce::MessageManager::getInstance()->runDispatchLoopUntil (20);
        host.getPeer()->grabFocus();
        serial->grabKeyboardFocus();
    }

    // without a window manager no window may get the keyboard: then this part has nothing to look at
    if (serial->hasKeyboardFocus (true))
    {
        auto* peer = host.getPeer();

        for (const auto key : { ' ', 'p', '1' })
            peer->handleKeyPress (key, static_cast<juce::juce_wchar> (key));

        // not even one that a text has no use for
        peer->handleKeyPress (juce::KeyPress::F5Key, 0);
        EQUAL (host.keys, 0);
        CHECK (serial->getText().contains ("p1"));

        // Tab and Shift-Tab go through all of it
        const auto focused = [] { return nameOf (*juce::Component::getCurrentlyFocusedComponent()); };
        const juce::KeyPress tab (juce::KeyPress::tabKey);
        const juce::KeyPress backTab (juce::KeyPress::tabKey, juce::ModifierKeys::shiftModifier, 0);

        for (auto at = 1u; at < expected.size(); ++at)
        {
            peer->handleKeyPress (tab);
            CHECK (focused() == expected[at]);
        }

        for (auto at = expected.size() - 1; at-- > 0;)
        {
            peer->handleKeyPress (backTab);
            CHECK (focused() == expected[at]);
        }

        EQUAL (host.keys, 0);

        // the last button is scrolled to
        auto* last = buttonOf (panel, "No internet here");
        const auto areaOfLast = [&] { return panel.getLocalArea (last, last->getLocalBounds()); };
        // the display may take the focus away once more, while its window still comes up
        pump (
            [&]
            {
                if (! last->hasKeyboardFocus (false))
                    last->grabKeyboardFocus();

                return last->hasKeyboardFocus (false) && panel.getLocalBounds().contains (areaOfLast());
            });
        const auto area = areaOfLast();
        const auto chosen = panel.createComponentSnapshot (area);
        serial->grabKeyboardFocus();
        const auto plain = panel.createComponentSnapshot (area);
        CHECK (chosen.getPixelAt (chosen.getWidth() / 2, 2) != plain.getPixelAt (plain.getWidth() / 2, 2));

        // a screen that changes keeps the keyboard
        last->grabKeyboardFocus();
        press (panel, "No internet here");
        pump ([&] { return panel.screen() == Screen::offline; });
        CHECK (panel.hasKeyboardFocus (true));
    }
    else
    {
        std::fprintf (stderr, "skipped: keys, because no window gets the keyboard here\n");
    }

    host.removeFromDesktop();
}

TEST ("panel: says what has ended, and what to do")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    const auto shows = [] (World& world, Screen screen, const char* name)
    {
        PluginLicense license (world.config(), world.parts());
        ActivationPanel panel (license, Theme(), Strings());
        pump ([&] { return panel.screen() == screen; });
        inspect (panel, name);
    };
    World world;
    {
        PluginLicense license (world.config(), world.parts());
        license.startTrial();
        CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    }
    shows (world, Screen::trial, "trial");
    world.server->isOnline = false;
    world.clock->time += 15 * day;
    shows (world, Screen::trialEnded, "trial-ended");
    world.server->isOnline = true;
    {
        PluginLicense license (world.config(), world.parts());
        license.activate (juce::String (world.server->serial), "");
        CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    }
    world.server->isOnline = false;
    world.clock->time += 28 * day;
    shows (world, Screen::checkSoon, "check-soon");
    world.clock->time += 3 * day;
    shows (world, Screen::expired, "expired");
    {
        PluginLicense license (world.config(), world.parts());
        ActivationPanel panel (license, Theme(), Strings());
        pump ([&] { return panel.screen() == Screen::expired; });
        CHECK (hasLabel (panel, "The license has to be checked"));
        CHECK (hasButton (panel, "Check now") && hasButton (panel, "Use a browser"));
        CHECK (! hasButton (panel, "Activate"));
    }
    const auto ids = std::exchange (world.systemIds, { "machine-id:00112233445566778899aabbccddeeff" });
    shows (world, Screen::otherMachine, "other-machine");
    world.systemIds = ids;
    world.server->isOnline = true;
    world.server->status = "revoked";
    world.clock->time += 2 * day;
    shows (world, Screen::revoked, "revoked");

    // a developer who forgot the keys
    auto config = world.config();
    config.keys.clear();
    PluginLicense license (config, world.parts());
    ActivationPanel panel (license, Theme(), Strings());
    CHECK (panel.screen() == Screen::misconfigured);
    inspect (panel, "misconfigured");
    CHECK (hasButton (panel, "Copy diagnostics") && ! hasButton (panel, "Activate"));
}

TEST ("panel: closing it while a request runs, two hundred times")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());

    for (auto i = 0; i < 200; ++i)
    {
        ActivationPanel panel (license, Theme(), Strings());
        panel.setSize (400, 300);
        license.checkNow();
        license.activate ("WRONG", "");

        if (i % 7 == 0)
            juce::MessageManager::getInstance()->runDispatchLoopUntil (5);
    }

    CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
}
