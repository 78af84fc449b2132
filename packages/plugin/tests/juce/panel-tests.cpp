// SPDX-License-Identifier: ISC
// Every screen of the panel, as it is drawn. TONEROW_PICTURES names a folder for the pictures.
#include <tonerow_juce/tonerow_juce.h>

#include "check.h"
#include "support.h"

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

void draw (ActivationPanel& panel, const juce::String& name)
{
    const auto* folder = std::getenv ("TONEROW_PICTURES");

    if (folder == nullptr)
        return;

    for (const auto scale : { 1.0f, 2.0f })
    {
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
                const auto width = juce::LookAndFeel::getDefaultLookAndFeel()
                                       .getTextButtonFont (*button, button->getHeight())
                                       .getStringWidthFloat (button->getButtonText());
                CHECK (width + 8.0f <= static_cast<float> (button->getWidth()));
            }

            if (auto* editor = dynamic_cast<juce::TextEditor*> (each))
                CHECK (editor->getTitle().isNotEmpty());

            if (auto* label = dynamic_cast<juce::Label*> (each))
            {
                CHECK (! label->getText().contains ("{"));
                CHECK (label->getRight() <= size.getWidth());
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
        ActivationPanel panel (license, isDark ? Theme() : Theme::light());
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

TEST ("panel: says what has ended, and what to do")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    const auto shows = [] (World& world, Screen screen, const char* name)
    {
        PluginLicense license (world.config(), world.parts());
        ActivationPanel panel (license);
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
    const auto ids = std::exchange (world.systemIds, { "machine-id:00112233445566778899aabbccddeeff" });
    shows (world, Screen::otherMachine, "other-machine");
    world.systemIds = ids;
    world.server->isOnline = true;
    world.server->status = "revoked";
    world.clock->time += 2 * day;
    shows (world, Screen::revoked, "revoked");
}

TEST ("panel: closing it while a request runs, two hundred times")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());

    for (auto i = 0; i < 200; ++i)
    {
        ActivationPanel panel (license);
        panel.setSize (400, 300);
        license.checkNow();
        license.activate ("WRONG", "");

        if (i % 7 == 0)
            juce::MessageManager::getInstance()->runDispatchLoopUntil (5);
    }

    CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
}
