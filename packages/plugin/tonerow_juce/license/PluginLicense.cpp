// SPDX-License-Identifier: ISC
TONEROW_BEGIN

namespace
{

Parts partsFor (const Config& config)
{
    auto parts = Parts::ofThisSystem();
    parts.http = std::make_shared<JuceHttp>();
    parts.os = juce::SystemStats::getOperatingSystemName().toStdString();

    if (isStored (config, parts.places))
        return parts;

    parts.older = PluginLicense::olderLicense (juce::String::fromUTF8 (config.productName.c_str()));

    // these ids cost time, and on Linux JUCE starts programs for them: only for who may have an older license
    if (TONEROW_KNOWS_JUCE_IDS || ! parts.older.serial.empty() || ! parts.older.lease.empty())
        parts.olderMachineIds = PluginLicense::olderMachineIds();

    return parts;
}

} // namespace

PluginLicense::PluginLicense (const Config& config) : PluginLicense (config, partsFor (config)) {}

PluginLicense::PluginLicense (const Config& config, Parts parts) :
    settings (config), license (config, std::move (parts)), heard (license.revision())
{
}

PluginLicense::~PluginLicense() { stopTimer(); }

void PluginLicense::prepared()
{
    isPrepared = true;

    // a program that renders without a message loop has nobody who could be told anything
    if (juce::MessageManager::getInstanceWithoutCreating() != nullptr && ! isTimerRunning())
        startTimer (1000);
}

void PluginLicense::activate (const juce::String& serial, const juce::String& email)
{
    license.activate (serial.toStdString(), email.toStdString());
}

void PluginLicense::editorOpened()
{
    ++editors;
    license.editorOpened();
    adjustTimer();
}

void PluginLicense::editorClosed()
{
    --editors;
    license.editorClosed();
    adjustTimer();
}

juce::String PluginLicense::releaseOffline() { return juce::String::fromUTF8 (license.releaseOffline().c_str()); }

juce::String PluginLicense::machineFile() const { return juce::String::fromUTF8 (license.machineFile().c_str()); }

Notice PluginLicense::readLicenseFile (const juce::String& text)
{
    return license.readLicenseFile (text.toStdString());
}

Notice PluginLicense::readLicenseFile (const juce::File& file)
{
    constexpr auto most = 256 * 1024;

    if (! file.existsAsFile() || file.getSize() > most)
        return Notice::wrongFile;

    return readLicenseFile (file.loadFileAsString());
}

juce::String PluginLicense::diagnostics() const { return juce::String::fromUTF8 (license.diagnostics().c_str()); }

void PluginLicense::addListener (Listener* listener)
{
    listeners.add (listener);
    adjustTimer();
}

void PluginLicense::removeListener (Listener* listener)
{
    listeners.remove (listener);
    adjustTimer();
}

/** It asks whether something has changed, instead of being told on another thread: so nothing is ever posted to a
   message loop that has ended. */
void PluginLicense::timerCallback()
{
    license.tick();
    const auto now = license.revision();

    if (std::exchange (heard, now) != now)
        listeners.call ([this] (Listener& each) { each.licenseChanged (*this); });
}

void PluginLicense::adjustTimer()
{
    if (editors > 0 || ! listeners.isEmpty())
        startTimer (50);
    else if (isPrepared)
        startTimer (1000);
    else
        stopTimer();
}

Older PluginLicense::olderLicense (const juce::String& productName)
{
    const auto name = juce::File::createLegalFileName (productName);

    if (name.isEmpty())
        return {};

        // as juce::PropertiesFile has it, which the module does not need otherwise
#if JUCE_MAC || JUCE_IOS
    const auto folder = juce::File ("~/Library/Application Support").getChildFile (name);
#elif JUCE_WINDOWS
    const auto folder = juce::File::getSpecialLocation (juce::File::userApplicationDataDirectory).getChildFile (name);
#else
    const auto folder = juce::File ("~").getChildFile (name);
#endif
    const auto file = folder.getChildFile (name).withFileExtension ("license");
    constexpr auto most = 256 * 1024;

    if (! file.existsAsFile() || file.getSize() > most)
        return {};

    Older older;
    const auto xml = juce::parseXML (file);

    if (xml == nullptr || ! xml->hasTagName ("PROPERTIES"))
        return {};

    for (auto* each = xml->getFirstChildElement(); each != nullptr; each = each->getNextElement())
    {
        const auto key = each->getStringAttribute ("name");
        const auto value = each->getStringAttribute ("val").toStdString();

        if (key == "license_key")
            older.serial = value;
        else if (key == "token")
            older.token = value;
        else if (key == "lease")
            older.lease = value;
    }

    return older;
}

// JUCE deprecates what its own class goes on sending
JUCE_BEGIN_IGNORE_WARNINGS_GCC_LIKE ("-Wdeprecated-declarations")
JUCE_BEGIN_IGNORE_WARNINGS_MSVC (4996)
std::vector<std::string> PluginLicense::olderMachineIds()
{
    [[maybe_unused]] constexpr auto mostOlderIds = 8u;
    std::vector<std::string> ids;

#if JUCE_VERSION >= 0x70003
    const auto unique = juce::SystemStats::getUniqueDeviceID().removeCharacters (",;# \t\r\n");

    if (unique.isNotEmpty())
        ids.push_back (unique.toStdString());
#endif

#if TONEROW_KNOWS_JUCE_IDS
    using Ids = juce::OnlineUnlockStatus::MachineIDUtilities;

    #if JUCE_VERSION >= 0x70003
    ids.push_back (Ids::getUniqueMachineID().toStdString());
    #endif

    // one for each network card: the server takes so many at most
    for (const auto& each : Ids::getLocalMachineIDs())
        if (ids.size() < mostOlderIds)
            ids.push_back (each.toStdString());
#endif

    return ids;
}
JUCE_END_IGNORE_WARNINGS_MSVC
JUCE_END_IGNORE_WARNINGS_GCC_LIKE

TONEROW_END
