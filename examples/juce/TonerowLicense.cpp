// SPDX-License-Identifier: ISC
#include "TonerowLicense.h"

namespace tonerow
{
namespace
{

constexpr int hour = 60 * 60 * 1000;
constexpr int timeout = 10000;
constexpr std::int64_t day = 24 * 60 * 60;

// names in the settings file
constexpr auto keyName = "license_key", tokenName = "token", leaseName = "lease", machineName = "machine_id",
               hardwareName = "hardware", keysName = "keys", lastOkName = "last_ok", seenName = "seen";

constexpr auto missingText = "License invalid or missing. Please activate.",
               unverifiedText = "The license server's answer could not be verified. Is this computer's clock right?";

/** Answers that end a license on this machine. All others (no network, too many requests, a mistake in the plugin key)
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
    options.millisecondsBeforeSaving = -1; // saved explicitly
    options.processLock = &fileLock; // several hosts may run the plugin at once
    return options;
}

/** Ids of this computer's parts, hashed: they change with a part, but hardly all at once with the computer's own id. */
juce::StringArray hardwareIds (const SignatureVerifier& verifier)
{
    JUCE_BEGIN_IGNORE_WARNINGS_GCC_LIKE ("-Wdeprecated-declarations")
    JUCE_BEGIN_IGNORE_WARNINGS_MSVC (4996)
    auto ids = juce::SystemStats::getDeviceIdentifiers();
    JUCE_END_IGNORE_WARNINGS_MSVC
    JUCE_END_IGNORE_WARNINGS_GCC_LIKE

    ids.removeEmptyStrings();

    for (auto& id : ids)
        id = juce::String (verifier.sha256 (id.toStdString())).substring (0, 16);

    return ids;
}

/** The token in an offline license file: its lines without a colon. Empty when there is none. */
juce::String tokenIn (const juce::String& licenseFile)
{
    const auto begin = "-----BEGIN TONEROW LICENSE-----", end = "-----END TONEROW LICENSE-----";
    juce::String token;

    if (licenseFile.contains (begin) && licenseFile.contains (end))
        for (const auto& line : juce::StringArray::fromLines (licenseFile.fromFirstOccurrenceOf (begin, false, false).upToFirstOccurrenceOf (end, false, false)))
            if (! line.containsChar (':'))
                token += line.trim();

    return token;
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

/** For the user, when the license server did not answer. What came instead may be anybody's words, so they are not shown. */
juce::String noAnswerText (int httpStatus)
{
    if (httpStatus == 0)
        return "The license server could not be reached.";

    // the server does not sign these: it refuses them before it knows whose plugin is calling, or cannot look that up
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
    : juce::Thread ("Tonerow license"),
      settings (std::move (s)),
      verifier (createSignatureVerifier()),
      fileLock ("tonerow-" + settings.productId),
      file (fileOptions (settings, fileLock)),
      machineId (findMachineId())
{
    readStoredTokens();
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

void License::readLicenseFile (const juce::String& text)
{
    {
        const juce::ScopedLock scope (lock);
        wantedFile = text;
    }
    add (&License::readLicenseFileNow);
}

void License::validate()   { add (&License::validateNow); }
void License::deactivate() { add (&License::deactivateNow); }
void License::startTrial() { add (&License::startTrialNow); }
void License::refresh()    { add (&License::refreshNow); }

juce::String License::getMachineFile() const
{
    auto fields = std::make_unique<juce::DynamicObject>();
    fields->setProperty ("machine_id", machineId);
    fields->setProperty ("device", juce::SystemStats::getComputerName());
    fields->setProperty ("app", settings.productName);
    return juce::JSON::toString (juce::var (fields.release()));
}

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
            // the next wake-up may be an hour away: a token may have expired meanwhile
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

    if (! accept (reply, licenseKey))
        say ("Activation failed: " + juce::String (unverifiedText));
}

void License::validateNow()
{
    const auto token = file.getValue (tokenName);
    const auto licenseKey = file.getValue (keyName);

    // a trial has a token and no key
    if (licenseKey.isEmpty() && token.isEmpty())
        return;

    // the seat belongs to the id that this computer had
    if (hasMoved() && transferNow())
        return;

    auto body = makeBody();
    body.getDynamicObject()->setProperty ("validation_token", file.getValue (tokenName));
    auto reply = post ("validate", body);

    // a foreign token is no reason to lock a machine that has a seat: without one, the server returns a fresh one
    if (reply.status == "invalid_token")
    {
        if (licenseKey.isEmpty())
            return startTrialNow();

        body.getDynamicObject()->removeProperty ("validation_token");
        reply = post ("validate", body);
    }

    if (reply.ok)
    {
        if (! accept (reply, licenseKey))
            say (unverifiedText);
    }
    else if (isEnding (reply.status))
    {
        lockWith (juce::String (missingText) + " (" + reply.error + ")");
    }
    else
    {
        readStoredTokens();
    }
}

/** Moves the seat of the id that this computer had to the one that it has now. False when there was none to move. */
bool License::transferNow()
{
    auto body = makeBody();
    auto* fields = body.getDynamicObject();
    fields->setProperty ("old_machine_id", file.getValue (machineName));
    fields->setProperty ("validation_token", file.getValue (tokenName));
    fields->setProperty ("label", juce::SystemStats::getComputerName());
    fields->setProperty ("os", juce::SystemStats::getOperatingSystemName());
    const auto reply = post ("transfer", body);

    if (isEnding (reply.status))
        return false;

    if (! reply.ok)
        say ("This computer's id has changed. " + reply.error);
    else if (! accept (reply, file.getValue (keyName)))
        say (unverifiedText);

    return true;
}

void License::deactivateNow()
{
    const auto reply = post ("deactivate", makeBody());

    // a seat that is free already is just as good
    if (! reply.ok && reply.status != "not_activated")
        return say ("Deactivation failed: " + reply.error);

    file.removeValue (keyName);
    lockWith ({});
}

void License::startTrialNow()
{
    // a license is worth more than a trial, and may only have to be checked
    if (file.getValue (keyName).isNotEmpty())
        validateNow();

    if (readStoredTokens() && ! getState().trial)
        return;

    auto body = makeBody();
    body.getDynamicObject()->removeProperty ("license_key");
    const auto reply = post ("trial", body);

    if (! reply.ok)
        return say ("The trial could not be started: " + reply.error);

    if (! accept (reply, {}))
        say (unverifiedText);
}

void License::readLicenseFileNow()
{
    juce::String text;
    {
        const juce::ScopedLock scope (lock);
        text = wantedFile;
    }
    const auto token = tokenIn (text);
    const auto verdict = check (token, now());

    if (verdict.problem == Problem::expired)
        return say ("This license file has expired. Please create a new one.");

    if (verdict.problem == Problem::unknownKey && knownKeys().empty())
        return say ("Please activate online: this plugin has no keys that could verify a license file.");

    if (! verdict.isValid())
        return say ("This is not a license file for this plugin on this computer.");

    // one that lasts longer stays
    if (check (file.getValue (leaseName), now()).expiresAt < verdict.expiresAt)
    {
        file.setValue (leaseName, token);
        file.saveIfNeeded();
    }

    readStoredTokens();
}

void License::refreshNow()
{
    file.reload(); // another host may have activated it
    const auto good = readStoredTokens();
    const auto lastOk = file.getValue (lastOkName).getLargeIntValue();
    const auto age = clockNow() - lastOk;

    if (! good || hasMoved() || age > day || age < 0)
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

    if (response.httpStatus == 0 || ! isGenuine (response.answer, asked, reply.signedAt))
    {
        reply.error = noAnswerText (response.httpStatus);
        return reply;
    }

    // the server's time is trusted over this computer's clock
    serverAhead = reply.signedAt - clockNow();

    // not by the HTTP status, which is not signed
    const auto fields = juce::JSON::parse (bodyOf (response.answer));
    reply.ok = static_cast<bool> (fields.getProperty ("ok", false));
    reply.status = textOf (fields, "status");
    reply.error = textOf (fields, "error");
    reply.token = textOf (fields, "validation_token");

    if (reply.error.isEmpty())
        reply.error = "HTTP " + juce::String (response.httpStatus);

    return reply;
}

/** Whether this is the license server's answer to this question. Everything else is taken for a failure of the network: a
    spoofed server can no more unlock a plugin than lock it.

    Fetches the keys when none are known yet, at the first activation, or when the answer is newer than they are.
*/
bool License::isGenuine (const Answer& answer, const Question& asked, std::int64_t& signedAt)
{
    // The nonce is new, so nothing that was signed before the question has it. Checking the date would only add a dependency on
    // this computer's clock, and a wrong clock must not lock a customer out.
    const auto isGood = [] (Problem problem)
    {
        return problem == Problem::none || problem == Problem::tooOld || problem == Problem::tooNew;
    };

    auto verdict = verifyAnswer (answer, knownKeys(), asked, *verifier);
    signedAt = verdict.signedAt;

    if (verdict.problem != Problem::unknownKey || ! settings.pinnedKeys.empty())
        return isGood (verdict.problem);

    const auto fetched = fetchKeys();
    verdict = verifyAnswer (answer, keysIn (fetched), asked, *verifier);
    signedAt = verdict.signedAt;

    // keys that don't verify this response must not replace those that verify the stored token
    if (! isGood (verdict.problem))
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
        // as bytes: the signature covers the raw body, not decoded text
        juce::MemoryBlock body;
        stream.readIntoMemoryBlock (body);
        const auto sent = stream.getResponseHeaders();
        const auto valueOf = [&] (const char* name) { return sent.getValue (name, {}).toStdString(); };

        response.httpStatus = stream.getStatusCode();
        response.answer.body.assign (static_cast<const char*> (body.getData()), body.getSize());
        response.answer.signature = valueOf ("X-Tonerow-Signature");
        response.answer.date = valueOf ("X-Tonerow-Date");
        response.answer.nonce = valueOf ("X-Tonerow-Nonce");

        // JUCE 7 on Linux loses the first header, which a proxy may have made one of these; the signature is over all of them
        const auto again = juce::String (valueOf ("X-Tonerow-Signed"));

        if (response.answer.signature.empty())
            response.answer.signature = again.fromFirstOccurrenceOf ("; ", false, false).toStdString();

        if (response.answer.date.empty())
            response.answer.date = again.fromFirstOccurrenceOf ("date=", false, false).upToFirstOccurrenceOf (";", false, false).toStdString();

        if (response.answer.nonce.empty())
            response.answer.nonce = nonce;
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

/** Takes what a good answer says, unless its token is not for this product on this computer: then all stays as it was. An
    answer without a token means that ours is good for a while yet. */
bool License::accept (const Reply& reply, const juce::String& licenseKey)
{
    const auto isOurs = licenseKey == file.getValue (keyName);
    const auto token = reply.token.isNotEmpty() || ! isOurs ? reply.token : file.getValue (tokenName);
    const auto verdict = check (token, now());

    if (! verdict.isValid())
        return false;

    file.setValue (keyName, licenseKey);
    file.setValue (tokenName, token);
    file.setValue (machineName, machineId);
    file.setValue (hardwareName, hardwareIds (*verifier).joinIntoString (" "));
    file.setValue (lastOkName, juce::String (clockNow()));
    file.setValue (seenName, juce::String (now()));
    file.saveIfNeeded();
    unlockWith (verdict);
    return true;
}

/** Decides offline whether the plugin is unlocked. */
bool License::readStoredTokens()
{
    // a clock that was turned back does not make a token last longer
    const auto seen = static_cast<std::int64_t> (file.getValue (seenName).getLargeIntValue());
    const auto time = juce::jmax (now(), seen);
    auto problem = Problem::malformed;

    for (const auto* name : { tokenName, leaseName })
    {
        const auto verdict = check (file.getValue (name), time);

        if (verdict.isValid())
        {
            // only a time that a token was good at: any other may be a mistake, and would lock this computer for good
            file.setValue (seenName, juce::String (time));
            file.saveIfNeeded();
            unlockWith (verdict);
            return true;
        }

        if (verdict.problem == Problem::expired)
            problem = verdict.problem;
    }

    unlocked = false;
    say (problem == Problem::expired ? "The license has to be checked. Please connect to the internet." : missingText);
    return false;
}

/** Whether this is the computer that was activated, though its id has become another: not a copy of its files elsewhere. */
bool License::hasMoved() const
{
    const auto before = file.getValue (machineName);
    const auto known = juce::StringArray::fromTokens (file.getValue (hardwareName), " ", {});

    if (before.isEmpty() || before == machineId || file.getValue (keyName).isEmpty() || file.getValue (tokenName).isEmpty())
        return false;

    for (const auto& id : hardwareIds (*verifier))
        if (known.contains (id))
            return true;

    return false;
}

/** The time, by the server's clock where that is known. */
std::int64_t License::now() const
{
    return clockNow() + serverAhead;
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
    file.removeValue (leaseName);
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

/** The JWKS; empty when there is no response. */
juce::String License::fetchKeys()
{
    const auto url = juce::URL (settings.serverUrl + "/api/license/v1/jwks").withParameter ("dev", settings.developerId);
    const auto response = request (url, false, {});
    return response.httpStatus == 200 ? bodyOf (response.answer) : juce::String();
}

/** Without characters that the server refuses. A computer without an id gets a permanent one. */
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
