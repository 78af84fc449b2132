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

juce::String bodyOf (const Answer& answer)
{
    return juce::String::fromUTF8 (answer.body.data(), static_cast<int> (answer.body.size()));
}

std::vector<PublicKey> keysIn (const juce::String& jwks)
{
    std::vector<PublicKey> keys;
    const auto list = juce::JSON::parse (jwks).getProperty ("keys", {});

    if (const auto* entries = list.getArray())
        for (const auto& each : *entries)
            if (textOf (each, "kty") == "OKP" && textOf (each, "crv") == "Ed25519")
                keys.push_back ({ textOf (each, "kid").toStdString(), textOf (each, "x").toStdString() });

    return keys;
}

/** For the user, when the licence server did not answer. What came instead may be anybody's words, so they are not shown. */
juce::String noAnswerText (int httpStatus)
{
    if (httpStatus == 0)
        return "The license server could not be reached.";

    // these the server does not sign: it refuses them before it knows whose plugin asks, or cannot look that up
    if (httpStatus == 401)
        return "The license server does not know this plugin.";

    if (httpStatus == 429)
        return "Too many requests. Please try again later.";

    if (httpStatus >= 500)
        return "The license server is temporarily unavailable.";

    return "The license server's answer could not be verified.";
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
    const auto path = "/api/license/v1/" + verb;
    const Question asked { "POST", path.toStdString(), createNonce(), clockNow() };
    const auto url = juce::URL (settings.serverUrl + path).withPOSTData (juce::JSON::toString (body, true));
    const auto response = request (url, true, asked.nonce);

    Reply reply;

    if (response.httpStatus == 0 || ! isGenuine (response.answer, asked))
    {
        reply.error = noAnswerText (response.httpStatus);
        return reply;
    }

    // not by the HTTP status: nobody signs that
    const auto fields = juce::JSON::parse (bodyOf (response.answer));
    reply.ok = static_cast<bool> (fields.getProperty ("ok", false));
    reply.status = textOf (fields, "status");
    reply.error = textOf (fields, "error");
    reply.token = textOf (fields, "validation_token");

    if (reply.error.isEmpty())
        reply.error = "HTTP " + juce::String (response.httpStatus);

    return reply;
}

/** Whether this is the licence server's answer to this question. Everything else is taken for a failure of the network: a
    spoofed server can no more unlock a plugin than lock it.

    Fetches the keys when none are known yet, at the first activation, or when the answer is newer than they are.
*/
bool License::isGenuine (const Answer& answer, const Question& asked)
{
    // The nonce is new, so nothing that was signed before the question has it. All that the date could add is a quarrel with
    // this computer's clock, and a clock that is wrong must not cut a musician off.
    const auto isGood = [] (Problem problem)
    {
        return problem == Problem::none || problem == Problem::tooOld || problem == Problem::tooNew;
    };

    const auto problem = verifyAnswer (answer, knownKeys(), asked, *verifier).problem;

    if (problem != Problem::unknownKey || ! settings.pinnedKeys.empty())
        return isGood (problem);

    const auto fetched = fetchKeys();

    // keys that say nothing about this answer must not take the place of those that verify the stored token
    if (! isGood (verifyAnswer (answer, keysIn (fetched), asked, *verifier).problem))
        return false;

    file.setValue (keysName, fetched);
    file.saveIfNeeded();
    return true;
}

License::Response License::request (const juce::URL& url, bool isPost, const std::string& nonce)
{
    juce::String headers = "Content-Type: application/json\r\nAuthorization: Bearer " + settings.pluginKey;

    if (! nonce.empty())
        headers = headers + "\r\nX-Tonerow-Nonce: " + juce::String (nonce);

    juce::WebInputStream stream (url, isPost);
    stream.withExtraHeaders (headers).withConnectionTimeout (timeout);
    {
        const juce::ScopedLock scope (lock);

        if (threadShouldExit())
            return {};

        running = &stream;
    }

    Response response;

    if (stream.connect (nullptr))
    {
        // as bytes: what is signed is what came, not what a text makes of it
        juce::MemoryBlock body;
        stream.readIntoMemoryBlock (body);
        const auto sent = stream.getResponseHeaders();
        const auto valueOf = [&] (const char* name) { return sent.getValue (name, {}).toStdString(); };

        response.httpStatus = stream.getStatusCode();
        response.answer.body.assign (static_cast<const char*> (body.getData()), body.getSize());
        response.answer.signature = valueOf ("X-Tonerow-Signature");
        response.answer.date = valueOf ("X-Tonerow-Date");
        response.answer.nonce = valueOf ("X-Tonerow-Nonce");
    }

    const juce::ScopedLock scope (lock);
    running = nullptr;
    return response;
}

//==============================================================================
Verdict License::check (const juce::String& token, std::int64_t now)
{
    return verifyLicense (token.toStdString(),
                          knownKeys(),
                          { settings.productId.toStdString(), machineId.toStdString(), now },
                          *verifier);
}

/** A good answer without a token means that ours is good for a while yet. */
bool License::accept (const Reply& reply)
{
    const auto token = reply.token.isNotEmpty() ? reply.token : file.getValue (tokenName);
    const auto verdict = check (token, clockNow());

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

    return keysIn (file.getValue (keysName));
}

/** The JWKS; empty when nobody answers. */
juce::String License::fetchKeys()
{
    const auto url = juce::URL (settings.serverUrl + "/api/license/v1/jwks").withParameter ("dev", settings.developerId);
    const auto response = request (url, false, {});
    return response.httpStatus == 200 ? bodyOf (response.answer) : juce::String();
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
