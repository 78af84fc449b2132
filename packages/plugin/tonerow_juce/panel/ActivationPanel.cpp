// SPDX-License-Identifier: ISC
TONEROW_BEGIN

Theme Theme::light()
{
    Theme theme;
    theme.background = juce::Colour (0xfffafbfc);
    theme.text = juce::Colour (0xff15181d);
    theme.quiet = juce::Colour (0xff4b5563);
    theme.accent = juce::Colour (0xff0f766e);
    theme.onAccent = juce::Colours::white;
    theme.field = juce::Colours::white;
    theme.outline = juce::Colour (0xff6b7280);
    theme.warning = juce::Colour (0xff92400e);
    return theme;
}

ActivationPanel::ActivationPanel (PluginLicense& l, Theme t, Strings s) :
    license (l), theme (std::move (t)), strings (std::move (s)), wasUnlocked (l.isUnlocked())
{
    setTitle (
        strings.welcomeTitle.replace ("{product}", juce::String::fromUTF8 (license.config().productName.c_str())));
    setFocusContainerType (FocusContainerType::keyboardFocusContainer);
    setWantsKeyboardFocus (true);
    addAndMakeVisible (viewport);
    viewport.setViewedComponent (&content, false);
    viewport.setScrollBarsShown (true, false);

    for (auto* each : { &title, &body, &notice, &serialLabel, &emailLabel })
    {
        content.addAndMakeVisible (each);
        each->setMinimumHorizontalScale (1.0f);
        each->setJustificationType (juce::Justification::topLeft);
    }

    for (auto* each : { &serial, &email })
    {
        content.addAndMakeVisible (each);
        each->onReturnKey = [this] { activate(); };
    }

    serialLabel.setText (strings.serial, juce::dontSendNotification);
    emailLabel.setText (strings.email, juce::dontSendNotification);
    serial.setTitle (strings.serial);
    email.setTitle (strings.email);
    style();
    license.addListener (this);
    license.editorOpened();
    update();
}

ActivationPanel::~ActivationPanel()
{
    license.editorClosed();
    license.removeListener (this);
}

juce::Font ActivationPanel::font (float height, bool isBold) const
{
    const auto name = theme.typeface.isNotEmpty() ? theme.typeface : juce::Font::getDefaultSansSerifFontName();
    const auto flags = isBold ? juce::Font::bold : juce::Font::plain;

#if JUCE_MAJOR_VERSION >= 8
    return juce::Font (juce::FontOptions (name, height, flags));
#else
    return juce::Font (name, height, flags);
#endif
}

void ActivationPanel::style()
{
    title.setFont (font (theme.textHeight * 1.4f, true));
    title.setColour (juce::Label::textColourId, theme.text);
    notice.setColour (juce::Label::textColourId, theme.warning);

    viewport.getVerticalScrollBar().setColour (juce::ScrollBar::thumbColourId, theme.outline);

    for (auto* each : { &body, &notice, &serialLabel, &emailLabel })
        each->setFont (font (theme.textHeight));

    for (auto* each : { &body, &serialLabel, &emailLabel })
        each->setColour (juce::Label::textColourId, theme.quiet);

    for (auto* each : { &serial, &email })
    {
        each->setFont (font (theme.textHeight));
        each->setColour (juce::TextEditor::backgroundColourId, theme.field);
        each->setColour (juce::TextEditor::textColourId, theme.text);
        each->setColour (juce::TextEditor::outlineColourId, theme.outline);
        each->setColour (juce::TextEditor::focusedOutlineColourId, theme.accent);
        each->setColour (juce::CaretComponent::caretColourId, theme.text);
        each->applyColourToAllText (theme.text);
    }
}

void ActivationPanel::licenseChanged (PluginLicense&) { update(); }

void ActivationPanel::update()
{
    const auto view = license.view();

    // what the customer did here has worked
    if (view.isUnlocked && ! wasUnlocked)
        detour = Detour::success;
    else if (! view.isUnlocked && (detour == Detour::success || detour == Detour::confirmRelease)
             && view.busy == Busy::no)
        detour = Detour::none;

    wasUnlocked = view.isUnlocked;
    show (view);
}

ActivationPanel::Screen ActivationPanel::screenFor (const View& view) const
{
    if (view.busy != Busy::no && view.busy != Busy::checking)
        return Screen::working;

    if (detour == Detour::success)
        return Screen::success;

    if (detour == Detour::offline)
        return Screen::offline;

    if (detour == Detour::confirmRelease)
        return Screen::confirmRelease;

    if (view.notice == Notice::refused && view.status == "seat_limit")
        return Screen::seatsFull;

    switch (view.state)
    {
        case State::unlicensed:
            return Screen::welcome;
        case State::trial:
            return Screen::trial;
        case State::trialEnded:
            return Screen::trialEnded;
        case State::active:
        case State::leased:
            return Screen::details;
        case State::checkSoon:
            return Screen::checkSoon;
        case State::expired:
            return Screen::expired;
        case State::revoked:
            return Screen::revoked;
        case State::otherMachine:
            return Screen::otherMachine;
        case State::misconfigured:
            return Screen::misconfigured;
    }

    return Screen::welcome;
}

juce::String ActivationPanel::filled (juce::String text, const View& view) const
{
    const auto of = [] (const std::string& each) { return juce::String::fromUTF8 (each.c_str()); };
    return text.replace ("{product}", of (license.config().productName))
        .replace ("{days}", juce::String (view.daysLeft))
        .replace ("{serial}", of (view.serialMasked))
        .replace ("{used}", juce::String (view.seatsUsed))
        .replace ("{max}", juce::String (view.seatsMax))
        .replace ("{path}", of (view.storeTrouble.path))
        .replace ("{reason}", of (view.storeTrouble.reason));
}

juce::String ActivationPanel::noticeFor (const View& view) const
{
    if (fileNotice == Notice::wrongFile)
        return strings.wrongFile;

    if (fileNotice == Notice::expiredFile)
        return strings.expiredFile;

    if (fileNotice == Notice::leaseLonger)
        return strings.leaseLonger;

    switch (view.notice)
    {
        case Notice::refused:
            return juce::String::fromUTF8 (view.message.c_str());
        case Notice::unreachable:
            return JuceHttp::hasHttps() ? strings.unreachable : strings.noHttps;
        case Notice::tooSlow:
            return strings.tooSlow;
        case Notice::notGenuine:
            return strings.notGenuine;
        case Notice::busyServer:
            return strings.busyServer;
        case Notice::unknownPlugin:
            return strings.unknownPlugin;
        case Notice::clockIsWrong:
            return strings.clockIsWrong;
        case Notice::emptySerial:
            return strings.emptySerial;
        case Notice::noChance:
            return strings.noChance;
        case Notice::wrongFile:
        case Notice::expiredFile:
        case Notice::leaseLonger:
        case Notice::canceled:
        case Notice::none:
            break;
    }

    if (! view.storeTrouble.isNone())
        return strings.notStored;

    return view.isFinishing ? strings.finishing : juce::String();
}

void ActivationPanel::setButtons (std::initializer_list<std::pair<juce::String, std::function<void()>>> all)
{
    buttons.clear();

    for (const auto& [text, action] : all)
    {
        auto* button = buttons.add (new juce::TextButton (text));
        const auto isFirst = buttons.size() == 1;
        content.addAndMakeVisible (button);
        button->onClick = action;
        button->setColour (juce::TextButton::buttonColourId, isFirst ? theme.accent : theme.field);
        button->setColour (juce::TextButton::textColourOffId, isFirst ? theme.onAccent : theme.text);
    }
}

void ActivationPanel::show (const View& view)
{
    const auto next = screenFor (view);
    const auto isNew = next != shown || buttons.isEmpty();
    shown = next;
    const auto go = [this] (Detour to)
    {
        return [this, to]
        {
            // after this button's own click, because it is deleted
            juce::Component::SafePointer<ActivationPanel> self (this);
            juce::MessageManager::callAsync (
                [self, to]
                {
                    if (self == nullptr)
                        return;

                    self->detour = to;
                    self->fileNotice = Notice::none;
                    self->update();
                });
        };
    };
    const auto ask = [this] { activate(); };
    const auto tell = [&] (const juce::String& heading, const juce::String& text)
    {
        title.setText (filled (heading, view), juce::dontSendNotification);
        body.setText (filled (text, view), juce::dontSendNotification);
    };
    const std::pair<juce::String, std::function<void()>> activateButton { strings.activate, ask },
        offlineButton { strings.offline, go (Detour::offline) }, backButton { strings.back, go (Detour::none) },
        checkButton { strings.checkNow, [this] { license.checkNow(); } },
        copyButton { strings.copyDiagnostics,
                     [this] { juce::SystemClipboard::copyTextToClipboard (license.diagnostics()); } };

    hasFields = shown == Screen::welcome || shown == Screen::trial || shown == Screen::trialEnded
                || shown == Screen::revoked || shown == Screen::otherMachine;

    switch (shown)
    {
        case Screen::welcome:
            tell (strings.welcomeTitle, strings.welcomeBody);
            break;
        case Screen::working:
            tell (strings.working, {});
            break;
        case Screen::success:
            tell (strings.successTitle, strings.successBody);
            break;
        case Screen::trial:
            tell (strings.trialTitle, strings.trialBody);
            break;
        case Screen::trialEnded:
            tell (strings.trialEndedTitle, strings.trialEndedBody);
            break;
        case Screen::seatsFull:
            tell (strings.seatsTitle, strings.seatsBody);
            break;
        case Screen::offline:
            tell (strings.offlineTitle, strings.offlineBody);
            break;
        case Screen::details:
            tell (strings.detailsTitle, strings.detailsBody);
            break;
        case Screen::confirmRelease:
            tell (strings.releaseTitle, strings.releaseBody);
            break;
        case Screen::checkSoon:
            tell (strings.checkSoonTitle, strings.checkSoonBody);
            break;
        case Screen::expired:
            tell (strings.expiredTitle, strings.expiredBody);
            break;
        case Screen::revoked:
            tell (strings.revokedTitle, strings.revokedBody);
            break;
        case Screen::otherMachine:
            tell (strings.otherTitle, strings.otherBody);
            break;
        case Screen::misconfigured:
            tell (strings.misconfiguredTitle, strings.misconfiguredBody);
            break;
    }

    if (isNew)
    {
        switch (shown)
        {
            case Screen::welcome:
                setButtons (
                    { activateButton, { strings.startTrial, [this] { license.startTrial(); } }, offlineButton });
                break;
            case Screen::trial:
            case Screen::trialEnded:
            case Screen::revoked:
            case Screen::otherMachine:
                setButtons ({ activateButton, offlineButton });
                break;
            case Screen::working:
                setButtons ({ { strings.cancel, [this] { license.cancel(); } } });
                break;
            case Screen::success:
                setButtons ({ { strings.done,
                                [this, back = go (Detour::none)]
                                {
                                    back();

                                    if (onDone != nullptr)
                                        onDone();
                                } } });
                break;
            case Screen::seatsFull:
                setButtons ({ { strings.tryAgain, ask }, offlineButton });
                break;
            case Screen::offline:
                setButtons ({ { strings.loadFile, [this] { loadLicenseFile(); } },
                              { strings.saveMachineFile, [this] { saveMachineFile(); } },
                              backButton });
                break;
            case Screen::details:
                setButtons ({ { strings.done,
                                [this]
                                {
                                    if (onDone != nullptr)
                                        onDone();
                                } },
                              { strings.release, go (Detour::confirmRelease) },
                              copyButton });
                break;
            case Screen::confirmRelease:
                setButtons ({ backButton, { strings.release, [this] { license.release(); } } });
                break;
            case Screen::checkSoon:
            case Screen::expired:
                setButtons ({ checkButton, offlineButton, copyButton });
                break;
            case Screen::misconfigured:
                setButtons ({ copyButton });
                break;
        }
    }

    notice.setText (filled (noticeFor (view), view), juce::dontSendNotification);

    for (auto* each : { static_cast<juce::Component*> (&serial),
                        static_cast<juce::Component*> (&email),
                        static_cast<juce::Component*> (&serialLabel),
                        static_cast<juce::Component*> (&emailLabel) })
        each->setVisible (hasFields);

    if (isNew)
        juce::AccessibilityHandler::postAnnouncement (title.getText() + " " + body.getText() + " " + notice.getText(),
                                                      juce::AccessibilityHandler::AnnouncementPriority::medium);

    resized();
    repaint();
}

void ActivationPanel::activate()
{
    // the screen follows with the timer: a new one would delete the button that was pressed
    fileNotice = Notice::none;
    license.activate (serial.getText(), email.getText());
}

void ActivationPanel::saveMachineFile()
{
    chooser = std::make_unique<juce::FileChooser> (
        strings.saveMachineFile,
        juce::File::getSpecialLocation (juce::File::userDesktopDirectory).getChildFile ("machine.txt"));
    chooser->launchAsync (juce::FileBrowserComponent::saveMode | juce::FileBrowserComponent::canSelectFiles
                              | juce::FileBrowserComponent::warnAboutOverwriting,
                          [this] (const juce::FileChooser& chosen)
                          {
                              if (chosen.getResult() != juce::File())
                                  chosen.getResult().replaceWithText (license.machineFile());
                          });
}

void ActivationPanel::loadLicenseFile()
{
    chooser = std::make_unique<juce::FileChooser> (strings.loadFile);
    chooser->launchAsync (juce::FileBrowserComponent::openMode | juce::FileBrowserComponent::canSelectFiles,
                          [this] (const juce::FileChooser& chosen)
                          {
                              if (chosen.getResult() != juce::File())
                                  take (chosen.getResult());
                          });
}

void ActivationPanel::take (const juce::File& file)
{
    fileNotice = license.readLicenseFile (file);

    if (fileNotice == Notice::none)
        detour = Detour::success;

    update();
}

bool ActivationPanel::isInterestedInFileDrag (const juce::StringArray& files) { return files.size() == 1; }

void ActivationPanel::filesDropped (const juce::StringArray& files, int, int)
{
    if (files.size() == 1)
        take (juce::File (files[0]));
}

/** While somebody is typing, no key is a shortcut of the host's. */
bool ActivationPanel::keyPressed (const juce::KeyPress&)
{
    return serial.hasKeyboardFocus (true) || email.hasKeyboardFocus (true);
}

void ActivationPanel::paint (juce::Graphics& g)
{
    g.fillAll (theme.background);

    if (theme.logo.isValid())
        g.drawImageWithin (theme.logo,
                           getWidth() - 72,
                           12,
                           60,
                           36,
                           juce::RectanglePlacement::xRight | juce::RectanglePlacement::yTop
                               | juce::RectanglePlacement::onlyReduceInSize);
}

void ActivationPanel::resized()
{
    viewport.setBounds (getLocalBounds());
    const auto width = juce::jmax (160, getWidth() - viewport.getScrollBarThickness());
    auto area = juce::Rectangle<int> (0, 0, width, 100000).reduced (16, 0).withTrimmedTop (16);
    area.setWidth (juce::jmin (area.getWidth(), 460));
    const auto heightOf = [&] (const juce::Label& label)
    {
        juce::AttributedString text (label.getText());
        text.setFont (label.getFont());
        juce::TextLayout layout;
        layout.createLayout (text, static_cast<float> (area.getWidth() - 12));
        return static_cast<int> (std::ceil (layout.getHeight())) + 8;
    };
    const auto line = static_cast<int> (theme.textHeight * 2.1f);

    for (auto* each : { &title, &body, &notice })
    {
        each->setVisible (each->getText().isNotEmpty());

        if (each->isVisible())
            each->setBounds (area.removeFromTop (heightOf (*each)));
    }

    if (hasFields)
    {
        for (const auto& [label, editor] :
             { std::make_pair (&serialLabel, &serial), std::make_pair (&emailLabel, &email) })
        {
            label->setBounds (area.removeFromTop (heightOf (*label)));
            editor->setBounds (area.removeFromTop (line));
            area.removeFromTop (6);
        }
    }

    area.removeFromTop (8);

    for (auto* each : buttons)
    {
        each->setBounds (area.removeFromTop (line));
        area.removeFromTop (6);
    }

    content.setSize (width, area.getY() + 10);
}

TONEROW_END
