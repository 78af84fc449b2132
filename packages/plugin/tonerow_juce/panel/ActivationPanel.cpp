// SPDX-License-Identifier: ISC
TONEROW_BEGIN

namespace
{

juce::String textOf (const std::string& text) { return juce::String::fromUTF8 (text.c_str()); }

juce::Font fontOf (const Theme& theme, float height, bool isBold)
{
    const auto name = theme.typeface.isNotEmpty() ? theme.typeface : juce::Font::getDefaultSansSerifFontName();
    const auto flags = isBold ? juce::Font::bold : juce::Font::plain;

#if JUCE_MAJOR_VERSION >= 8
    return juce::Font (juce::FontOptions (name, height, flags));
#else
    return juce::Font (name, height, flags);
#endif
}

Theme withLetters (Theme theme, const Strings& strings)
{
    if (theme.typeface.isEmpty())
        theme.typeface = typefaceFor (strings.welcomeBody);

    return theme;
}

int rounded (float height) { return static_cast<int> (std::ceil (height)); }

} // namespace

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

//======================================================================================================================
juce::TextLayout ActivationPanel::TextLabel::layoutFor (float width) const
{
    return laidOutToFit (getText(),
                         getFont(),
                         findColour (textColourId),
                         width,
                         isRightToLeft ? juce::Justification::topRight : juce::Justification::topLeft,
                         isRightToLeft);
}

void ActivationPanel::TextLabel::paint (juce::Graphics& g)
{
    const auto area = getLocalBounds().toFloat();
    layoutFor (area.getWidth()).draw (g, area);
}

int ActivationPanel::TextLabel::heightFor (int width) const
{
    return rounded (layoutFor (static_cast<float> (width)).getHeight()) + 8;
}

//======================================================================================================================
juce::Font ActivationPanel::PanelButton::font() const { return fontOf (theme, theme.textHeight, false); }

int ActivationPanel::PanelButton::heightFor (int width) const
{
    const auto layout = laidOutToFit (getButtonText(),
                                      font(),
                                      theme.text,
                                      static_cast<float> (juce::jmax (20, width - 20)),
                                      juce::Justification::centred);
    return juce::jmax (rounded (theme.textHeight * 2.1f), rounded (layout.getHeight() + theme.textHeight * 0.9f));
}

void ActivationPanel::PanelButton::paintButton (juce::Graphics& g, bool isOver, bool isDown)
{
    const auto area = getLocalBounds().toFloat().reduced (1.5f);
    const auto plain = isMain ? theme.accent : theme.field;
    g.setColour (isDown ? plain.contrasting (0.2f) : isOver ? plain.contrasting (0.08f) : plain);
    g.fillRoundedRectangle (area, theme.corner);

    if (hasKeyboardFocus (true))
    {
        // beside the button's own color, so that it is seen on both kinds
        g.setColour (theme.text);
        g.drawRoundedRectangle (area, theme.corner, 3.0f);
    }
    else if (! isMain)
    {
        g.setColour (theme.outline);
        g.drawRoundedRectangle (area, theme.corner, 1.0f);
    }

    const auto layout = laidOutToFit (getButtonText(),
                                      font(),
                                      isMain ? theme.onAccent : theme.text,
                                      static_cast<float> (juce::jmax (20, getWidth() - 20)),
                                      juce::Justification::centred);
    const auto height = layout.getHeight();
    layout.draw (g,
                 getLocalBounds()
                     .toFloat()
                     .reduced (10.0f, 0.0f)
                     .withSizeKeepingCentre (static_cast<float> (juce::jmax (20, getWidth() - 20)), height));
}

//======================================================================================================================
int ActivationPanel::QrView::sideFor (int most) const noexcept
{
    const auto modules = code ? code->size() + 2 * QrCode::quietZone : 1;
    return juce::jmax (1, most / modules) * modules;
}

void ActivationPanel::QrView::show (const std::string& address)
{
    if (shown == address)
        return;

    shown = address;
    code = address.empty() ? std::nullopt : QrCode::of (address);
    repaint();
}

void ActivationPanel::QrView::paint (juce::Graphics& g)
{
    if (! code)
        return;

    const auto modules = code->size() + 2 * QrCode::quietZone;
    // whole pixels, or the edges blur
    const auto side = juce::jmax (1, juce::jmin (getWidth(), getHeight()) / modules);
    g.setColour (juce::Colours::white);
    g.fillRect (0, 0, side * modules, side * modules);
    g.setColour (juce::Colours::black);

    for (auto y = 0; y < code->size(); ++y)
        for (auto x = 0; x < code->size(); ++x)
            if (code->isDark (x, y))
                g.fillRect ((x + QrCode::quietZone) * side, (y + QrCode::quietZone) * side, side, side);
}

std::unique_ptr<juce::AccessibilityHandler> ActivationPanel::QrView::createAccessibilityHandler()
{
    return std::make_unique<juce::AccessibilityHandler> (*this, juce::AccessibilityRole::image);
}

//======================================================================================================================
ActivationPanel::ActivationPanel (PluginLicense& l, Theme t, Strings s) :
    license (l), theme (withLetters (std::move (t), s)), strings (std::move (s)), wasUnlocked (l.isUnlocked())
{
    setTitle (strings.welcomeTitle.replace ("{product}", textOf (license.config().productName)));
    setFocusContainerType (FocusContainerType::keyboardFocusContainer);
    setWantsKeyboardFocus (true);
    addAndMakeVisible (viewport);
    viewport.setViewedComponent (&content, false);
    viewport.setScrollBarsShown (true, false);
    // what can be done has the keyboard, and is scrolled to
    viewport.setWantsKeyboardFocus (false);
    viewport.setScrollBarPosition (! strings.isRightToLeft, true);

    for (auto* each : { &title, &body, &notice, &serialLabel, &emailLabel, &codeLabel })
    {
        content.addAndMakeVisible (each);
        each->isRightToLeft = strings.isRightToLeft;
    }

    auto order = 1;

    for (auto* each : { &serial, &email, &code })
    {
        content.addAndMakeVisible (each);
        each->setExplicitFocusOrder (order++);
        each->setJustification (strings.isRightToLeft ? juce::Justification::centredRight
                                                      : juce::Justification::centredLeft);
    }

    serial.onReturnKey = email.onReturnKey = [this] { activate(); };
    code.onReturnKey = [this] { license.listSeats (code.getText()); };

    // a text takes this key before the panel hears of it
    for (auto* each : { &serial, &email, &code })
        each->onEscapeKey = [this] { leave(); };

    serialLabel.setText (strings.serial, juce::dontSendNotification);
    emailLabel.setText (strings.email, juce::dontSendNotification);
    codeLabel.setText (strings.code, juce::dontSendNotification);
    serial.setTitle (strings.serial);
    email.setTitle (strings.email);
    code.setTitle (strings.code);
    content.addChildComponent (qr);
    qr.setTitle (strings.qrCode);
    style();
    license.addListener (this);
    juce::Desktop::getInstance().addFocusChangeListener (this);
    license.editorOpened();
    update();
}

ActivationPanel::~ActivationPanel()
{
    license.editorClosed();
    juce::Desktop::getInstance().removeFocusChangeListener (this);
    license.removeListener (this);
}

void ActivationPanel::style()
{
    title.setFont (fontOf (theme, theme.textHeight * 1.4f, true));
    title.setColour (juce::Label::textColourId, theme.text);
    notice.setColour (juce::Label::textColourId, theme.warning);
    viewport.getVerticalScrollBar().setColour (juce::ScrollBar::thumbColourId, theme.outline);

    for (auto* each : { &body, &notice, &serialLabel, &emailLabel, &codeLabel })
        each->setFont (fontOf (theme, theme.textHeight, false));

    for (auto* each : { &body, &serialLabel, &emailLabel, &codeLabel })
        each->setColour (juce::Label::textColourId, theme.quiet);

    for (auto* each : { &serial, &email, &code })
    {
        each->setFont (fontOf (theme, theme.textHeight, false));
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
    const auto isUnderstood = view.busy == Busy::no;

    // what the customer did here has worked
    if (view.isUnlocked && ! wasUnlocked)
        detour = Detour::success;
    else if (! view.isUnlocked && (detour == Detour::success || detour == Detour::confirmRelease) && isUnderstood)
        detour = Detour::none;
    // the seat that was to be released is gone
    else if (detour == Detour::confirmSeat && isUnderstood
             && std::none_of (
                 view.seats.begin(), view.seats.end(), [this] (const Seat& each) { return each.id == chosenSeat.id; }))
        detour = Detour::seatsCode;

    // what went wrong is over
    else if (detour == Detour::error && isUnderstood && ! view.attempt.isThere())
        detour = beforeError;

    wasUnlocked = view.isUnlocked;
    show (screenFor (view), view);
}

ActivationPanel::Screen ActivationPanel::screenFor (const View& view) const
{
    if (view.busy == Busy::browsing && view.page.isOpen())
        return Screen::browser;

    if (view.busy != Busy::no && view.busy != Busy::lookingForUpdate)
        return Screen::working;

    switch (detour)
    {
        case Detour::success:
            return Screen::success;
        case Detour::offline:
            return Screen::offline;
        case Detour::confirmRelease:
            return Screen::confirmRelease;
        case Detour::released:
            return Screen::released;
        case Detour::seatsCode:
            return view.areSeatsKnown ? Screen::seats : view.isCodeSent ? Screen::seatsCode : Screen::seatsFull;
        case Detour::confirmSeat:
            return Screen::confirmSeat;
        case Detour::update:
            return Screen::update;
        case Detour::error:
            return Screen::error;
        case Detour::none:
            break;
    }

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
        case State::forGood:
            return Screen::forGood;
    }

    return Screen::welcome;
}

juce::String ActivationPanel::filled (juce::String text, const View& view) const
{
    return text.replace ("{product}", textOf (license.config().productName))
        .replace ("{days}", juce::String (view.daysLeft))
        .replace ("{serial}", textOf (view.serialMasked))
        .replace ("{used}", juce::String (view.seatsUsed))
        .replace ("{max}", juce::String (view.seatsMax))
        .replace ("{code}", textOf (view.page.code))
        .replace ("{seat}", textOf (chosenSeat.name))
        .replace ("{day}", strings.dayFor (textOf (chosenSeat.lastSeen)))
        .replace ("{version}", textOf (view.update.version))
        .replace ("{path}", textOf (view.storeTrouble.path))
        .replace ("{reason}", reasonFor (view.storeTrouble))
        // last, because it is somebody else's text
        .replace ("{notes}", textOf (view.update.notes));
}

juce::String ActivationPanel::reasonFor (const FileTrouble& trouble) const
{
    switch (trouble.problem)
    {
        case FileProblem::denied:
            return strings.reasonDenied;
        case FileProblem::readOnly:
            return strings.reasonReadOnly;
        case FileProblem::full:
            return strings.reasonFull;
        case FileProblem::inUse:
            return strings.reasonInUse;
        case FileProblem::notAFile:
            return strings.reasonNotAFile;
        case FileProblem::notAFolder:
            return strings.reasonNotAFolder;
        case FileProblem::tooLarge:
            return strings.reasonTooLarge;
        case FileProblem::noPlace:
        case FileProblem::other:
            break;
    }

    // the sentence has a stop of its own
    return textOf (trouble.reason).trimCharactersAtEnd (". ");
}

/** In the customer's language where it is one that we know; otherwise as the server has it. */
juce::String ActivationPanel::refusalFor (const View& view) const
{
    // the screen itself says it
    if (view.status == "seat_limit")
        return {};

    // of the email's code, which the server does not tell apart from a wrong one
    if (view.status == "code_expired" && view.isCodeSent)
        return strings.refusedCode;

    const auto known = strings.refusal (textOf (view.status));
    return known.isNotEmpty() ? known : textOf (view.message);
}

juce::String ActivationPanel::noticeFor (const View& view) const
{
    if (ownNotice.isNotEmpty())
        return ownNotice;

    if (fileNotice == Notice::wrongFile)
        return strings.wrongFile;

    if (fileNotice == Notice::expiredFile)
        return strings.expiredFile;

    if (fileNotice == Notice::leaseLonger)
        return strings.leaseLonger;

    if (fileNotice == Notice::spentFile)
        return strings.spentFile;

    if (fileNotice == Notice::clockIsWrong)
        return strings.clockIsWrong;

    switch (view.notice)
    {
        case Notice::refused:
            return refusalFor (view);
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
        case Notice::spentFile:
        case Notice::canceled:
        case Notice::none:
            break;
    }

    if (! view.storeTrouble.isNone())
        return view.storeTrouble.problem == FileProblem::noPlace ? strings.notStoredAnywhere : strings.notStored;

    return view.isFinishing ? strings.finishing : juce::String();
}

/** Which server, what it answered, and when: for whoever helps. */
juce::String ActivationPanel::triedIn (const View& view) const
{
    const auto& tried = view.attempt;
    const juce::Time time (tried.at * 1000);
    auto answer = tried.httpStatus == 0 ? strings.errorNoAnswer : "HTTP " + juce::String (tried.httpStatus);

    if (! view.status.empty())
        answer << ", " << textOf (view.status);

    juce::StringArray lines { strings.errorServer.replace ("{host}", textOf (tried.host)),
                              strings.errorAnswer.replace ("{answer}", answer),
                              strings.errorTime.replace (
                                  "{time}", strings.dayFor (time.formatted ("%Y-%m-%d")) + time.formatted (" %H:%M")) };

    if (! tried.requestId.empty())
        lines.add (strings.errorRequest.replace ("{request}", textOf (tried.requestId)));

    return lines.joinIntoString ("\n");
}

/** Not a license file that has ended, nor a license of which the server said so. */
bool ActivationPanel::canBeChecked (const View& view)
{
    return ! view.serialMasked.empty() && view.status != "expired";
}

std::pair<juce::String, juce::String> ActivationPanel::textsOf (Screen which, const View& view) const
{
    switch (which)
    {
        case Screen::welcome:
            return { strings.welcomeTitle, strings.welcomeBody };
        case Screen::browser:
            return { strings.browserTitle, strings.browserBody };
        case Screen::working:
            return { strings.working, {} };
        case Screen::success:
            return { strings.successTitle, strings.successBody };
        case Screen::trial:
            return { strings.trialTitle, strings.trialBody };
        case Screen::trialEnded:
            return { strings.trialEndedTitle, strings.trialEndedBody };
        case Screen::seatsFull:
            return { strings.seatsTitle, strings.seatsBody };
        case Screen::seatsCode:
            return { strings.seatsCodeTitle, strings.seatsCodeBody };
        case Screen::seats:
            return { strings.seatsListTitle, view.seats.empty() ? strings.seatsNone : strings.seatsListBody };
        case Screen::confirmSeat:
            return { strings.confirmSeatTitle, strings.confirmSeatBody };
        case Screen::offline:
            return { strings.offlineTitle, strings.offlineBody };
        case Screen::details:
            return { strings.detailsTitle, view.state == State::leased ? strings.leasedBody : strings.detailsBody };
        case Screen::confirmRelease:
            return { strings.releaseTitle, view.isReleasable ? strings.giveUpBody : strings.releaseBody };
        case Screen::released:
            return { strings.releasedTitle, strings.releasedBody };
        case Screen::checkSoon:
            return { strings.checkSoonTitle, strings.checkSoonBody };
        case Screen::expired:
            return canBeChecked (view) ? std::pair { strings.expiredTitle, strings.expiredBody }
                                       : std::pair { strings.endedTitle, strings.endedBody };
        case Screen::revoked:
            return { strings.revokedTitle, strings.revokedBody };
        case Screen::otherMachine:
            return { strings.otherTitle, strings.otherBody };
        case Screen::misconfigured:
            return { strings.misconfiguredTitle, strings.misconfiguredBody };
        case Screen::forGood:
            return { strings.forGoodTitle, strings.forGoodBody };
        case Screen::update:
            return { strings.updateTitle, strings.updateBody };
        case Screen::error:
            return { strings.errorTitle, noticeFor (view) + "\n\n" + triedIn (view) };
    }

    return {};
}

std::vector<ActivationPanel::Choice> ActivationPanel::choicesOf (Screen which, const View& view)
{
    const auto to = [this] (Detour where) { return [this, where] { go (where); }; };
    const auto finish = [this]
    {
        go (Detour::none);

        if (onDone != nullptr)
            onDone();
    };
    const Choice activateChoice { strings.activate, [this] { activate(); } };
    const Choice pasteChoice { strings.paste, [this] { paste(); } };
    const Choice pasteFileChoice { strings.pasteFile, [this] { paste(); } };
    const Choice browserChoice { strings.browser, [this] { license.activateInBrowser(); } };
    const Choice offlineChoice { strings.offline, to (Detour::offline) };
    const Choice backChoice { strings.back, to (Detour::none) };
    const Choice checkChoice { strings.checkNow, [this] { license.checkNow(); } };
    const Choice saveReleaseChoice { strings.saveReleaseFile, [this] { saveReleaseFile(); } };
    const Choice doneChoice { strings.done, finish };
    const Choice sendChoice { strings.sendAgain, [this] { license.sendSeatsCode(); } };
    const Choice copyChoice { strings.copyDiagnostics,
                              [this] { juce::SystemClipboard::copyTextToClipboard (license.diagnostics()); } };
    std::vector<Choice> all;

    switch (which)
    {
        case Screen::welcome:
            all = { activateChoice, pasteChoice, browserChoice };
            all.push_back ({ strings.startTrial, [this] { license.startTrial(); } });
            all.push_back (offlineChoice);
            break;
        case Screen::trial:
        case Screen::trialEnded:
        case Screen::revoked:
        case Screen::otherMachine:
            all = { activateChoice, pasteChoice, browserChoice, offlineChoice };
            break;
        case Screen::browser:
        {
            const auto address = textOf (view.page.address);
            all = { { strings.openBrowser, [this, address] { open (address); } },
                    { strings.copyAddress, [address] { juce::SystemClipboard::copyTextToClipboard (address); } },
                    { strings.cancel, [this] { license.cancel(); } } };
            break;
        }
        case Screen::working:
            all = { { strings.cancel, [this] { license.cancel(); } } };
            break;
        case Screen::success:
            all = { doneChoice };
            break;
        case Screen::seatsFull:
            all = { { strings.releaseAnother,
                      [this]
                      {
                          go (Detour::seatsCode);
                          license.sendSeatsCode();
                      } },
                    { strings.tryAgain,
                      [this]
                      {
                          go (Detour::none);
                          activate();
                      } },
                    offlineChoice,
                    { strings.back,
                      [this]
                      {
                          // what was refused is not spoken of any more
                          license.forgetNotice();
                          go (Detour::none);
                      } } };
            break;
        case Screen::seatsCode:
            all = { { strings.showSeats, [this] { license.listSeats (code.getText()); } }, sendChoice, backChoice };
            break;
        case Screen::seats:
            for (const auto& each : view.seats)
                all.push_back ({ strings.seat.replace ("{seat}", textOf (each.name))
                                     .replace ("{day}", strings.dayFor (textOf (each.lastSeen))),
                                 [this, each]
                                 {
                                     chosenSeat = each;
                                     go (Detour::confirmSeat);
                                 },
                                 true });

            if (view.seats.empty())
                all.push_back ({ strings.tryAgain,
                                 [this]
                                 {
                                     go (Detour::none);
                                     activate();
                                 } });

            all.push_back (backChoice);
            break;
        case Screen::confirmSeat:
            all = { { strings.back, to (Detour::seatsCode) },
                    { strings.releaseSeat, [this] { license.releaseSeat (chosenSeat.id); } } };
            break;
        case Screen::offline:
            all = { { strings.loadFile, [this] { loadLicenseFile(); } },
                    pasteFileChoice,
                    { strings.saveMachineFile, [this] { saveMachineFile(); } },
                    backChoice };

            // its file may have been lost
            if (view.isReleased)
                all.insert (all.end() - 1, saveReleaseChoice);

            break;
        case Screen::details:
            all = { doneChoice };

            // a license file may be replaced by a seat, and is given back with a proof, if it has one
            if (view.state == State::leased)
                all.push_back (browserChoice);

            if (view.state != State::leased || view.isReleasable)
                all.push_back ({ strings.release, to (Detour::confirmRelease) });

            all.push_back (copyChoice);
            break;
        case Screen::confirmRelease:
            all = { backChoice,
                    { strings.release,
                      [this, isOffline = view.isReleasable]
                      {
                          if (isOffline)
                              giveUp();
                          else
                              license.release();
                      } } };
            break;
        case Screen::released:
            all = { saveReleaseChoice,
                    { strings.copyReleaseFile,
                      [this] { juce::SystemClipboard::copyTextToClipboard (license.releaseOffline()); } },
                    backChoice };
            break;
        case Screen::checkSoon:
            all = {
                checkChoice, offlineChoice, { strings.release, to (Detour::confirmRelease) }, copyChoice, doneChoice
            };
            break;
        case Screen::expired:
            if (canBeChecked (view))
                all = { checkChoice, offlineChoice, browserChoice, copyChoice };
            else
                all = { activateChoice, pasteChoice, browserChoice, offlineChoice, copyChoice };

            break;
        case Screen::misconfigured:
            all = { copyChoice };
            break;
        case Screen::forGood:
            all = { doneChoice, copyChoice };
            break;
        case Screen::update:
        {
            const auto link = textOf (view.update.link);
            all = { { strings.openUpdate, [this, link] { open (link); } }, backChoice };
            break;
        }
        case Screen::error:
            all = { { strings.tryAgain,
                      [this]
                      {
                          go (beforeError);
                          license.tryAgain();
                      } },
                    copyChoice,
                    { strings.back, [this] { leave(); } } };
            break;
    }

    const auto isBusy = which == Screen::working || which == Screen::browser;

    if (! isBusy && which != Screen::error && view.attempt.isThere() && noticeFor (view).isNotEmpty())
        all.push_back ({ strings.errorDetails,
                         [this]
                         {
                             beforeError = detour;
                             go (Detour::error);
                         } });

    if (view.update.isThere() && (which == Screen::details || which == Screen::trial || which == Screen::welcome))
        all.push_back ({ filled (strings.updateButton, view), to (Detour::update) });

    if (const auto page = textOf (license.config().redemptionPage); page.isNotEmpty() && ! isBusy)
        all.push_back ({ strings.redeem, [this, page] { open (page); } });

    return all;
}

void ActivationPanel::setButtons (const std::vector<Choice>& all)
{
    buttons.clear();

    for (const auto& each : all)
    {
        auto* button = buttons.add (new PanelButton (each.text, theme, buttons.isEmpty() && ! each.isOneOfMany));
        content.addAndMakeVisible (button);
        button->setExplicitFocusOrder (10 + buttons.size());
        button->onClick = [this, action = each.action] { later (action); };
    }
}

/** After the button's own click, because a new screen deletes it. */
void ActivationPanel::later (std::function<void()> action)
{
    const juce::Component::SafePointer<ActivationPanel> self (this);
    juce::MessageManager::callAsync (
        [self, todo = std::move (action)]
        {
            if (self != nullptr)
                todo();
        });
}

void ActivationPanel::go (Detour where)
{
    detour = where;
    fileNotice = Notice::none;
    ownNotice.clear();
    update();
}

void ActivationPanel::open (const juce::String& address)
{
    if (onOpenAddress != nullptr)
        onOpenAddress (address);
    else
        juce::URL (address).launchInDefaultBrowser();
}

void ActivationPanel::preview (Screen which, const View& view)
{
    if (! view.seats.empty())
        chosenSeat = view.seats.front();

    show (which, view);
}

void ActivationPanel::show (Screen next, const View& view)
{
    const auto isNew = next != shown || buttons.isEmpty();
    const auto texts = textsOf (next, view);
    const auto choices = choicesOf (next, view);
    auto names = juce::String (static_cast<int> (next));

    for (const auto& each : choices)
        names << "\n" << each.text;

    shown = next;
    title.setText (filled (texts.first, view), juce::dontSendNotification);
    body.setText (filled (texts.second, view), juce::dontSendNotification);
    // there it is the text itself
    const auto warning = next == Screen::error ? juce::String() : filled (noticeFor (view), view);
    const auto isOtherNotice = warning != notice.getText();
    notice.setText (warning, juce::dontSendNotification);
    qr.show (shown == Screen::browser ? view.page.address : std::string());
    showFields (view);

    if (std::exchange (shownButtons, names) != names)
    {
        const auto hadFocus = hasKeyboardFocus (true);
        setButtons (choices);

        // the button that was pressed is gone, and the keyboard must not be lost with it
        if (hadFocus)
            focusFirst();
    }

    if (isNew)
        viewport.setViewPosition (0, 0);

    if (isNew || (isOtherNotice && warning.isNotEmpty()))
        juce::AccessibilityHandler::postAnnouncement (isNew ? title.getText() + " " + body.getText() + " " + warning
                                                            : warning,
                                                      juce::AccessibilityHandler::AnnouncementPriority::medium);

    resized();
    repaint();
}

void ActivationPanel::showFields (const View& view)
{
    hasSerial = shown == Screen::welcome || shown == Screen::trial || shown == Screen::trialEnded
                || (shown == Screen::expired && ! canBeChecked (view)) || shown == Screen::revoked
                || shown == Screen::otherMachine;
    hasCode = shown == Screen::seatsCode;

    for (auto* each : { static_cast<juce::Component*> (&serial),
                        static_cast<juce::Component*> (&email),
                        static_cast<juce::Component*> (&serialLabel),
                        static_cast<juce::Component*> (&emailLabel) })
        each->setVisible (hasSerial);

    code.setVisible (hasCode);
    codeLabel.setVisible (hasCode);
    qr.setVisible (shown == Screen::browser && ! qr.isEmpty());
}

void ActivationPanel::focusFirst()
{
    if (hasSerial)
        serial.grabKeyboardFocus();
    else if (hasCode)
        code.grabKeyboardFocus();
    else if (! buttons.isEmpty())
        buttons.getFirst()->grabKeyboardFocus();
}

void ActivationPanel::activate()
{
    fileNotice = Notice::none;
    ownNotice.clear();
    license.activate (serial.getText(), email.getText());
}

/** A serial, or the whole text of a license file. */
void ActivationPanel::paste()
{
    constexpr auto longestSerial = 128;
    const auto text = juce::SystemClipboard::getTextFromClipboard().trim();

    if (text.isEmpty())
    {
        ownNotice = strings.nothingToPaste;
        return update();
    }

    if (text.contains ("TONEROW LICENSE") || ! hasSerial)
        return take (license.readLicenseFile (text));

    ownNotice.clear();
    serial.setText (text.upToFirstOccurrenceOf ("\n", false, false).trim().substring (0, longestSerial));
    update();

    if (serial.isShowing())
        serial.grabKeyboardFocus();
}

void ActivationPanel::giveUp()
{
    if (license.releaseOffline().isNotEmpty())
        return go (Detour::released);

    // the license file is still in use: what could not be stored is shown
    go (Detour::none);
}

void ActivationPanel::saveMachineFile()
{
    save (strings.saveMachineFile, "machine.txt", [this] { return license.machineFile(); });
}

void ActivationPanel::saveReleaseFile()
{
    save (strings.saveReleaseFile, "release.txt", [this] { return license.releaseOffline(); });
}

void ActivationPanel::save (const juce::String& title, const juce::String& name, std::function<juce::String()> text)
{
    chooser = std::make_unique<juce::FileChooser> (
        title, juce::File::getSpecialLocation (juce::File::userDesktopDirectory).getChildFile (name));
    chooser->launchAsync (juce::FileBrowserComponent::saveMode | juce::FileBrowserComponent::canSelectFiles
                              | juce::FileBrowserComponent::warnAboutOverwriting,
                          [this, text] (const juce::FileChooser& chosen)
                          {
                              if (chosen.getResult() == juce::File())
                                  return;

                              const auto isSaved = chosen.getResult().replaceWithText (text());
                              ownNotice = isSaved ? juce::String() : strings.notSaved;
                              update();
                          });
}

void ActivationPanel::loadLicenseFile()
{
    chooser = std::make_unique<juce::FileChooser> (strings.loadFile);
    chooser->launchAsync (juce::FileBrowserComponent::openMode | juce::FileBrowserComponent::canSelectFiles,
                          [this] (const juce::FileChooser& chosen)
                          {
                              if (chosen.getResult() != juce::File())
                                  take (license.readLicenseFile (chosen.getResult()));
                          });
}

void ActivationPanel::take (Notice found)
{
    fileNotice = found;
    ownNotice.clear();

    if (fileNotice == Notice::none)
        detour = Detour::success;

    update();
}

bool ActivationPanel::isInterestedInFileDrag (const juce::StringArray& files) { return files.size() == 1; }

void ActivationPanel::filesDropped (const juce::StringArray& files, int, int)
{
    if (files.size() == 1)
        take (license.readLicenseFile (juce::File (files[0])));
}

/** Back from where the customer went, if there is a way. */
bool ActivationPanel::leave()
{
    if (detour == Detour::none || detour == Detour::success)
        return false;

    go (detour == Detour::confirmSeat ? Detour::seatsCode : detour == Detour::error ? beforeError : Detour::none);
    return true;
}

/** While somebody is typing, no key is a shortcut of the host's. Escape goes back. */
bool ActivationPanel::keyPressed (const juce::KeyPress& key)
{
    if (key == juce::KeyPress::escapeKey && leave())
        return true;

    // JUCE would do it only if no host wanted the key
    if (key.isKeyCode (juce::KeyPress::tabKey))
    {
        auto* focused = getCurrentlyFocusedComponent();

        if (focused == nullptr || focused == this)
            focusFirst();
        else
            focused->moveKeyboardFocusToSibling (! key.getModifiers().isShiftDown());

        return true;
    }

    return serial.hasKeyboardFocus (true) || email.hasKeyboardFocus (true) || code.hasKeyboardFocus (true);
}

/** What has the keyboard is to be seen, in a panel that scrolls. */
/** Not focusOfChildComponentChanged, which is not called when the keyboard goes from one child to another. */
void ActivationPanel::globalFocusChanged (juce::Component* focused)
{
    if (focused == nullptr || ! content.isParentOf (focused))
        return;

    const auto area = content.getLocalArea (focused->getParentComponent(), focused->getBounds());
    const auto top = viewport.getViewPositionY(), bottom = top + viewport.getViewHeight();

    if (area.getBottom() + 4 > bottom)
        viewport.setViewPosition (0, juce::jmax (0, area.getBottom() + 4 - viewport.getViewHeight()));
    else if (area.getY() - 4 < top)
        viewport.setViewPosition (0, juce::jmax (0, area.getY() - 4));

    for (auto* each : buttons)
        each->repaint();
}

void ActivationPanel::paint (juce::Graphics& g)
{
    g.fillAll (theme.background);

    if (theme.logo.isValid())
        g.drawImageWithin (theme.logo,
                           strings.isRightToLeft ? 12 : getWidth() - 72,
                           12,
                           60,
                           36,
                           (strings.isRightToLeft ? juce::RectanglePlacement::xLeft : juce::RectanglePlacement::xRight)
                               | juce::RectanglePlacement::yTop | juce::RectanglePlacement::onlyReduceInSize);
}

void ActivationPanel::resized()
{
    viewport.setBounds (getLocalBounds());
    constexpr auto widest = 460, narrowest = 16;
    const auto scrollBar = viewport.getScrollBarThickness();
    const auto width = juce::jmax (160, getWidth() - scrollBar);
    // in the middle of the panel, with or without a scroll bar
    const auto margin = juce::jmax (narrowest, (getWidth() - widest) / 2);
    const auto isMirrored = strings.isRightToLeft;
    auto area = juce::Rectangle<int> (0, 0, width, 100000)
                    .withTrimmedLeft (isMirrored ? margin - scrollBar : margin)
                    .withTrimmedRight (isMirrored ? margin : margin - scrollBar)
                    .withTrimmedTop (16);
    const auto line = rounded (theme.textHeight * 2.1f);
    // the logo has a corner of its own
    const auto besideLogo = theme.logo.isValid() && margin < 84 ? 72 : 0;

    for (auto* each : { &title, &body, &notice })
    {
        each->setVisible (each->getText().isNotEmpty());

        if (! each->isVisible())
            continue;

        const auto taken = each == &title ? besideLogo : 0;
        auto row = area.removeFromTop (each->heightFor (area.getWidth() - taken));
        each->setBounds (strings.isRightToLeft ? row.withTrimmedLeft (taken) : row.withTrimmedRight (taken));
    }

    const auto place = [&] (TextLabel& label, juce::TextEditor& editor)
    {
        label.setBounds (area.removeFromTop (label.heightFor (area.getWidth())));
        editor.setBounds (area.removeFromTop (line));
        area.removeFromTop (6);
    };

    if (hasSerial)
    {
        place (serialLabel, serial);
        place (emailLabel, email);
    }

    if (hasCode)
        place (codeLabel, code);

    if (qr.isVisible())
    {
        const auto side = qr.sideFor (juce::jmin (area.getWidth(), 228));
        auto row = area.removeFromTop (side);
        qr.setBounds (strings.isRightToLeft ? row.removeFromRight (side) : row.removeFromLeft (side));
    }

    area.removeFromTop (8);

    for (auto* each : buttons)
    {
        each->setBounds (area.removeFromTop (each->heightFor (area.getWidth())));
        area.removeFromTop (6);
    }

    content.setSize (width, area.getY() + 10);
}

TONEROW_END
