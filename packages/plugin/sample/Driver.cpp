// SPDX-License-Identifier: ISC
// The license, the gate and every screen as the instrument has them, for tests: it does what its standard input says,
// and answers each line with one of JSON. A line is a verb and its rest:
//
//   press TEXT       the button with this text          type FIELD=TEXT   into the field with this name
//   drop PATH        a file onto the panel              pictures FOLDER   each screen, as it is drawn, from here on
//   play SECONDS     that much audio through the gate   wait              until nothing goes on any more
//   screen NAME      until this one is shown            check             the daily question, now
//   machine          its machine file                   clipboard         the text on it
//   look             nothing
#include "SampleLicense.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

namespace
{

using Screen = tonerow::ActivationPanel::Screen;

const char* nameOf (Screen screen)
{
    switch (screen)
    {
        case Screen::welcome:
            return "welcome";
        case Screen::browser:
            return "browser";
        case Screen::working:
            return "working";
        case Screen::success:
            return "success";
        case Screen::trial:
            return "trial";
        case Screen::trialEnded:
            return "trial_ended";
        case Screen::seatsFull:
            return "seats_full";
        case Screen::seatsCode:
            return "seats_code";
        case Screen::seats:
            return "seats";
        case Screen::confirmSeat:
            return "confirm_seat";
        case Screen::offline:
            return "offline";
        case Screen::details:
            return "details";
        case Screen::confirmRelease:
            return "confirm_release";
        case Screen::released:
            return "released";
        case Screen::checkSoon:
            return "check_soon";
        case Screen::expired:
            return "expired";
        case Screen::revoked:
            return "revoked";
        case Screen::otherMachine:
            return "other_machine";
        case Screen::misconfigured:
            return "misconfigured";
        case Screen::forGood:
            return "for_good";
        case Screen::update:
            return "update";
        case Screen::error:
            return "error";
    }

    return "";
}

/** Values of the environment, which a test sets. */
tonerow::Config configOfTest()
{
    const auto of = [] (const char* name)
    {
        const auto* value = std::getenv (name);
        return std::string (value != nullptr ? value : "");
    };
    auto config = sampleSettings();
    config.server = of ("TONEROW_URL");
    config.pluginKey = of ("PLUGIN_KEY");
    config.productId = of ("PRODUCT_ID");
    config.productName = of ("PRODUCT_NAME");
    config.developerId = of ("DEVELOPER_ID");
    config.keys = { { of ("KEY_ID"), of ("KEY_X") } };
    config.redemptionPage.clear();
    config.looksForUpdates = false;
    return config;
}

class Driver
{
public:
    Driver() : license (configOfTest()), panel (license, tonerow::Theme(), tonerow::Strings())
    {
        panel.setSize (480, 360);
        panel.onOpenAddress = [this] (const juce::String& address) { opened = address; };
        gate.prepare (48000.0, license.isUnlocked());
    }

    /** False when it could not be done. */
    bool run (const juce::String& verb, const juce::String& rest)
    {
        if (verb == "press")
            return press (rest);

        if (verb == "type")
            return type (rest.upToFirstOccurrenceOf ("=", false, false),
                         rest.fromFirstOccurrenceOf ("=", false, false));

        if (verb == "drop")
        {
            panel.filesDropped ({ rest }, 0, 0);
            return true;
        }

        if (verb == "pictures")
        {
            folder = rest;
            return draw();
        }

        if (verb == "play")
            return play (rest.getDoubleValue());

        if (verb == "check")
        {
            license.checkNow();
            return until ([this] { return license.view().busy == tonerow::Busy::no; });
        }

        if (verb == "machine")
            text = license.machineFile();

        if (verb == "clipboard")
            text = juce::SystemClipboard::getTextFromClipboard();

        if (verb == "machine" || verb == "clipboard")
            return text.isNotEmpty();

        if (verb == "wait")
            return until ([this] { return license.view().busy == tonerow::Busy::no; });

        if (verb == "screen")
            return until ([this, &rest] { return rest == nameOf (panel.screen()); });

        return verb == "look";
    }

    juce::String state() const
    {
        const auto view = license.view();
        tonerow::JsonWriter writer;
        writer.text ("screen", nameOf (panel.screen()))
            .text ("state", tonerow::nameOf (view.state))
            .text ("notice", tonerow::nameOf (view.notice))
            .text ("status", view.status)
            .integer ("unlocked", license.isUnlocked() ? 1 : 0)
            .integer ("finishing", view.isFinishing ? 1 : 0)
            .integer ("days", view.daysLeft)
            .integer ("loudest", static_cast<std::int64_t> (loudest * 1000.0f))
            .text ("page", view.page.address)
            .text ("code", view.page.code)
            .text ("opened", opened.toStdString())
            .text ("text", text.toStdString());
        return juce::String::fromUTF8 (writer.finish().c_str());
    }

private:
    template <typename Kind>
    Kind* find (juce::Component& parent, const juce::String& name)
    {
        for (auto* child : parent.getChildren())
        {
            if (! child->isVisible())
                continue;

            if (auto* found = dynamic_cast<Kind*> (child))
                if (found->getTitle() == name || nameIn (*found) == name)
                    return found;

            if (auto* found = find<Kind> (*child, name))
                return found;
        }

        return nullptr;
    }

    static juce::String nameIn (const juce::TextButton& button) { return button.getButtonText(); }

    static juce::String nameIn (const juce::TextEditor&) { return {}; }

    bool press (const juce::String& text)
    {
        auto* button = find<juce::TextButton> (panel, text);

        if (button == nullptr)
            return false;

        button->onClick();
        turn();
        return true;
    }

    bool type (const juce::String& field, const juce::String& text)
    {
        auto* editor = find<juce::TextEditor> (panel, field);

        if (editor == nullptr)
            return false;

        editor->setText (text);
        return true;
    }

    /** A sine at half of full scale, in blocks. */
    bool play (double seconds)
    {
        constexpr auto rate = 48000.0;
        constexpr auto block = 480;
        juce::HeapBlock<float> samples (static_cast<size_t> (block));
        loudest = 0.0f;

        for (auto done = 0; done < static_cast<int> (seconds * rate); done += block)
        {
            for (auto i = 0; i < block; ++i)
                samples[i] = 0.5f * std::sin (static_cast<float> (done + i) * 0.05f);

            float* channels[] = { samples.get() };
            license.processed (block, rate);
            gate.process (channels, 1, block, license.isUnlocked());

            for (auto i = 0; i < block; ++i)
                loudest = juce::jmax (loudest, std::abs (samples[i]));
        }

        return true;
    }

    bool until (const std::function<bool()>& isSo)
    {
        for (auto i = 0; i < 1000; ++i)
        {
            if (isSo())
                return draw();

            turn();
        }

        return false;
    }

    void turn()
    {
        juce::MessageManager::getInstance()->runDispatchLoopUntil (20);
        draw();
    }

    bool draw()
    {
        if (folder.isEmpty())
            return true;

        const auto file = juce::File (folder).getChildFile (juce::String (nameOf (panel.screen())) + ".png");

        if (file.existsAsFile())
            return true;

        juce::FileOutputStream stream (file);
        return juce::PNGImageFormat().writeImageToStream (panel.createComponentSnapshot (panel.getLocalBounds()),
                                                          stream);
    }

    tonerow::PluginLicense license;
    tonerow::ActivationPanel panel;
    tonerow::Gate gate;
    juce::String opened, folder, text;
    float loudest = 0.0f;
};

} // namespace

int main()
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    Driver driver;
    std::string line;

    while (std::getline (std::cin, line))
    {
        const auto text = juce::String::fromUTF8 (line.c_str());
        const auto isDone =
            driver.run (text.upToFirstOccurrenceOf (" ", false, false), text.fromFirstOccurrenceOf (" ", false, false));
        std::cout << (isDone ? "done " : "failed ") << driver.state() << std::endl;
    }

    return 0;
}
