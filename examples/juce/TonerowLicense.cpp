#include "TonerowLicense.h"

namespace tonerow
{
namespace
{

constexpr int hour = 60 * 60 * 1000;
constexpr int timeout = 10000;
constexpr std::int64_t day = 24 * 60 * 60;

// names in the settings file
constexpr auto keyName = "license_key", tokenName = "token", machineName = "machine_id", keysName = "keys",
               lastOkName = "last_ok", seenName = "seen";

/** Answers that end a licence on this machine. All others (no network, too many requests, a mistake in the plugin key)
    leave it as it is: the token says how long it goes on. */
bool isEnding (const juce::String& status)
{
    for (const auto* each : { "revoked", "expired", "not_activated", "not_found", "product_mismatch", "trial_expired" })
        if (status == each)
            return true;

    return false;
}

std::int64_t clockNow()
{
    return juce::Time::currentTimeMillis() / 1000;
}

juce::PropertiesFile::Options fileOptions (const Settings& settings, juce::InterProcessLock& fileLock)
{
    juce::PropertiesFile::Options options;
    options.applicationName = juce::File::createLegalFileName (settings.productName);
    options.folderName = options.applicationName;
    options.filenameSuffix = "license";
    options.osxLibrarySubFolder = "Application Support";
    options.millisecondsBeforeSaving = -1; // saved when we say so
    options.processLock = &fileLock; // several hosts may run the plugin at once
    return options;
}

juce::String textOf (const juce::var& object, const char* name)
{
    return object.getProperty (name, {}).toString();
}

} // namespace

License::License() : License (Settings {}) {}

License::License (Settings s)
    : juce::Thread ("Tonerow licence"),
      settings (std::move (s)),
      verifier (createSignatureVerifier()),
      fileLock ("tonerow-" + settings.productId),
      file (fileOptions (settings, fileLock)),
      machineId (findMachineId())
{
    readStoredToken();
    add (&License::refreshNow);
    startThread();
}

License::~License()
{
    signalThreadShouldExit();
    {
        // the thread must not sit in a request while the host wants to quit
        const juce::ScopedLock scope (lock);

        if (running != nullptr)
            running->cancel();
    }
    notify();
    waitForThreadToExit (-1);
}

State License::getState() const
{
    const juce::ScopedLock scope (lock);
    return state;
}

void License::activate (const juce::String& licenseKey, const juce::String& email)
{
    {
        const juce::ScopedLock scope (lock);
        wantedKey = licenseKey.trim();
        wantedEmail = email.trim();
    }
    add (&License::activateNow);
}

void License::validate()   { add (&License::validateNow); }
void License::deactivate() { add (&License::deactivateNow); }
void License::refresh()    { add (&License::refreshNow); }

//==============================================================================
void License::add (Job job)
{
    {
        const juce::ScopedLock scope (lock);
        jobs.push_back (job);
        state.busy = true;
    }
    notify();
    sendChangeMessage();
}

void License::run()
{
    while (! threadShouldExit())
    {
        Job job = nullptr;
        {
            const juce::ScopedLock scope (lock);

            if (! jobs.empty())
            {
                job = jobs.front();
                jobs.pop_front();
            }
        }

        if (job == nullptr)
        {
            // nobody wakes us for an hour: a token may have ended meanwhile
            if (! wait (hour) && ! threadShouldExit())
                refreshNow();

            continue;
        }

        (this->*job)();
        {
            const juce::ScopedLock scope (lock);
            state.busy = ! jobs.empty();
        }
        sendChangeMessage();
    }
}

void License::activateNow()
{
    juce::String licenseKey, email;
    {
        const juce::ScopedLock scope (lock);
        licenseKey = wantedKey;
        email = wantedEmail;
    }

    if (licenseKey.isEmpty())
        return say ("Please enter your license key.");

    auto body = makeBody();
    auto* fields = body.getDynamicObject();
    fields->setProperty ("license_key", licenseKey);
    fields->setProperty ("label", juce::SystemStats::getComputerName());
    fields->setProperty ("os", juce::SystemStats::getOperatingSystemName());

    if (email.isNotEmpty())
        fields->setProperty ("email", email);

    const auto reply = post ("activate", body);

    if (! reply.ok)
        return say ("Activation failed: " + reply.error);

    file.setValue (keyName, licenseKey);

    if (! accept (reply))
        say ("Activation failed: the answer could not be verified. Is this computer's clock right?");
}

void License::validateNow()
{
    if (file.getValue (keyName).isEmpty())
        return;

    auto body = makeBody();
    body.getDynamicObject()->setProperty ("validation_token", file.getValue (tokenName));
    auto reply = post ("validate", body);

    // an old or foreign token is no reason to lock a machine that has a seat: without one, a fresh one is answered
    if (reply.status == "invalid_token")
    {
        body.getDynamicObject()->removeProperty ("validation_token");
        reply = post ("validate", body);
    }

    if (reply.ok)
    {
        if (! accept (reply))
            say ("The license server's answer could not be verified. Is this computer's clock right?");
    }
    else if (isEnding (reply.status))
    {
        lockWith ("License invalid or missing. Please activate. (" + reply.error + ")");
    }
    else
    {
        readStoredToken();
    }
}

void License::deactivateNow()
{
    const auto reply = post ("deactivate", makeBody());

    // a seat that is free already is as good
    if (! reply.ok && reply.status != "not_activated")
        return say ("Deactivation failed: " + reply.error);

    file.removeValue (keyName);
    lockWith ({});
}

void License::refreshNow()
{
    file.reload(); // another host may have activated it
    const auto good = readStoredToken();
    const auto lastOk = file.getValue (lastOkName).getLargeIntValue();
    const auto age = clockNow() - lastOk;

    if (! good || age > day || age < 0)
        validateNow();
}

//==============================================================================
juce::var License::makeBody() const
{
    auto fields = std::make_unique<juce::DynamicObject>();
    fields->setProperty ("license_key", file.getValue (keyName));
    fields->setProperty ("machine_id", machineId);
    fields->setProperty ("product_id", settings.productId);
    fields->setProperty ("version", settings.version);
    return juce::var (fields.release());
}

License::Reply License::post (const juce::String& verb, const juce::var& body)
{
    const auto url = juce::URL (settings.serverUrl + "/api/license/v1/" + verb)
                         .withPOSTData (juce::JSON::toString (body, true));
    int status = 0;
    const auto answer = juce::JSON::parse (request (url, true, status));

    Reply reply;
    reply.status = textOf (answer, "status");
    reply.error = textOf (answer, "error");
    reply.token = textOf (answer, "validation_token");
    reply.ok = status == 200 && static_cast<bool> (answer.getProperty ("ok", false));

    if (reply.error.isEmpty())
        reply.error = status == 0 ? juce::String ("The license server could not be reached.") : "HTTP " + juce::String (status);

    return reply;
}

juce::String License::request (const juce::URL& url, bool isPost, int& status)
{
    juce::WebInputStream stream (url, isPost);
    stream.withExtraHeaders ("Content-Type: application/json\r\nAuthorization: Bearer " + settings.pluginKey)
          .withConnectionTimeout (timeout);
    {
        const juce::ScopedLock scope (lock);

        if (threadShouldExit())
            return {};

        running = &stream;
    }

    const auto connected = stream.connect (nullptr);
    const auto text = connected ? stream.readEntireStreamAsString() : juce::String();
    status = connected ? stream.getStatusCode() : 0;

    const juce::ScopedLock scope (lock);
    running = nullptr;
    return text;
}

//==============================================================================
Verdict License::check (const juce::String& token, std::int64_t now)
{
    return verifyLicense (token.toStdString(),
                          knownKeys(),
                          { settings.productId.toStdString(), machineId.toStdString(), now },
                          *verifier);
}

/** Fetches the keys when the token is newer than they are. */
Verdict License::checkOnline (const juce::String& token)
{
    const auto verdict = check (token, clockNow());
    return verdict.problem == Problem::unknownKey && fetchKeys() ? check (token, clockNow()) : verdict;
}

/** A good answer without a token means that ours is good for a while yet. */
bool License::accept (const Reply& reply)
{
    const auto token = reply.token.isNotEmpty() ? reply.token : file.getValue (tokenName);
    const auto verdict = checkOnline (token);

    if (! verdict.isValid())
        return false;

    const juce::String now (clockNow());
    file.setValue (tokenName, token);
    file.setValue (lastOkName, now);
    file.setValue (seenName, now); // the server agrees with this clock
    file.saveIfNeeded();
    unlockWith (verdict);
    return true;
}

/** Decides without the network, and says whether the plugin is unlocked. */
bool License::readStoredToken()
{
    const auto token = file.getValue (tokenName);

    if (token.isEmpty())
    {
        unlocked = false;
        say ("License invalid or missing. Please activate.");
        return false;
    }

    // a clock that was turned back does not make a token longer
    const auto seen = file.getValue (seenName).getLargeIntValue();
    const auto now = juce::jmax (clockNow(), static_cast<std::int64_t> (seen));
    const auto verdict = check (token, now);
    file.setValue (seenName, juce::String (now));
    file.saveIfNeeded();

    if (verdict.isValid())
    {
        unlockWith (verdict);
        return true;
    }

    unlocked = false;
    say (verdict.problem == Problem::expired ? "The license has to be checked. Please connect to the internet."
                                             : "License invalid or missing. Please activate.");
    return false;
}

void License::unlockWith (const Verdict& verdict)
{
    unlocked = true;
    const juce::ScopedLock scope (lock);
    state.unlocked = true;
    state.trial = verdict.trial;
    state.message = {};
    state.licenseKey = file.getValue (keyName);
    state.checkBefore = juce::Time (verdict.expiresAt * 1000);
}

void License::lockWith (const juce::String& message)
{
    file.removeValue (tokenName);
    file.saveIfNeeded();
    unlocked = false;
    say (message);
}

void License::say (const juce::String& message)
{
    const juce::ScopedLock scope (lock);
    state.unlocked = isUnlocked();
    state.licenseKey = file.getValue (keyName);
    state.message = message;
}

//==============================================================================
std::vector<PublicKey> License::knownKeys() const
{
    if (! settings.pinnedKeys.empty())
        return settings.pinnedKeys;

    std::vector<PublicKey> keys;
    const auto stored = juce::JSON::parse (file.getValue (keysName)).getProperty ("keys", {});

    if (const auto* list = stored.getArray())
        for (const auto& each : *list)
            if (textOf (each, "kty") == "OKP" && textOf (each, "crv") == "Ed25519")
                keys.push_back ({ textOf (each, "kid").toStdString(), textOf (each, "x").toStdString() });

    return keys;
}

bool License::fetchKeys()
{
    if (! settings.pinnedKeys.empty())
        return false;

    int status = 0;
    const auto url = juce::URL (settings.serverUrl + "/api/license/v1/jwks").withParameter ("dev", settings.developerId);
    const auto text = request (url, false, status);

    if (status != 200)
        return false;

    file.setValue (keysName, text);
    return true;
}

/** Without what the server refuses. A computer that has no id gets one that stays. */
juce::String License::findMachineId()
{
    auto id = juce::SystemStats::getUniqueDeviceID().removeCharacters (",;# \t\r\n");

    if (id.isEmpty())
        id = file.getValue (machineName);

    if (id.isEmpty())
    {
        id = juce::Uuid().toString();
        file.setValue (machineName, id);
        file.saveIfNeeded();
    }

    return id;
}

} // namespace tonerow
