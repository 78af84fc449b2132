// SPDX-License-Identifier: ISC
#include "support.h"

#include <tonerow/json.h>
#include <tonerow/machine.h>
#include <tonerow/sha256.h>
#include <tonerow/text.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#if TONEROW_USE_MONOCYPHER
    #include <monocypher-ed25519.h>
#elif TONEROW_USE_SODIUM
    #include <sodium.h>
#else
    #include <openssl/evp.h>
#endif

namespace support
{
namespace
{

std::string encoded (const std::string& bytes, const char* alphabet)
{
    std::string text;
    std::uint32_t pending = 0;
    unsigned bits = 0;

    for (const auto c : bytes)
    {
        pending = (pending << 8) | static_cast<unsigned char> (c);
        bits += 8;

        while (bits >= 6)
        {
            bits -= 6;
            text += alphabet[(pending >> bits) & 63u];
        }
    }

    if (bits > 0)
        text += alphabet[(pending << (6 - bits)) & 63u];

    return text;
}

std::string toText (const Digest& digest) { return std::string (digest.begin(), digest.end()); }

unsigned char* bytesOf (std::string& text) { return reinterpret_cast<unsigned char*> (text.data()); }

const unsigned char* bytesOf (const std::string& text) { return reinterpret_cast<const unsigned char*> (text.data()); }

} // namespace

std::string toBase64Url (const std::string& bytes)
{
    return encoded (bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

std::string toBase64 (const std::string& bytes)
{
    auto text = encoded (bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

    while (text.size() % 4 != 0)
        text += '=';

    return text;
}

Signer::Signer (const std::string& name) : kid (name), secret (64, '\0'), open (32, '\0')
{
    auto seed = toText (sha256 ("tonerow test: " + name));

#if TONEROW_USE_MONOCYPHER
    crypto_ed25519_key_pair (bytesOf (secret), bytesOf (open), bytesOf (seed));
#elif TONEROW_USE_SODIUM
    if (sodium_init() < 0)
        std::abort();

    crypto_sign_seed_keypair (bytesOf (open), bytesOf (secret), bytesOf (seed));
#else
    secret = seed;
    auto* key = EVP_PKEY_new_raw_private_key (EVP_PKEY_ED25519, nullptr, bytesOf (secret), secret.size());
    std::size_t size = open.size();
    EVP_PKEY_get_raw_public_key (key, bytesOf (open), &size);
    EVP_PKEY_free (key);
#endif
}

std::string Signer::sign (const std::string& message) const
{
    std::string signature (64, '\0');

#if TONEROW_USE_MONOCYPHER
    crypto_ed25519_sign (bytesOf (signature), bytesOf (secret), bytesOf (message), message.size());
#elif TONEROW_USE_SODIUM
    crypto_sign_detached (bytesOf (signature), nullptr, bytesOf (message), message.size(), bytesOf (secret));
#else
    auto* key = EVP_PKEY_new_raw_private_key (EVP_PKEY_ED25519, nullptr, bytesOf (secret), secret.size());
    auto* context = EVP_MD_CTX_new();
    std::size_t size = signature.size();
    EVP_DigestSignInit (context, nullptr, nullptr, nullptr, key);
    EVP_DigestSign (context, bytesOf (signature), &size, bytesOf (message), message.size());
    EVP_MD_CTX_free (context);
    EVP_PKEY_free (key);
#endif

    return signature;
}

PublicKey Signer::publicKey() const { return { kid, toBase64Url (open) }; }

std::string makeToken (const Signer& signer, const Claims& claims)
{
    JsonWriter body;
    body.text ("iss", "https://licenses.example.com")
        .text ("sub", claims.serialId)
        .text ("aud", claims.productId)
        .text ("mid", sha256Hex (claims.machineId))
        .integer ("iat", claims.issuedAt)
        .integer ("exp", claims.expiresAt);

    if (claims.licenseEndsAt != 0)
        body.integer ("lic", claims.licenseEndsAt);
    else
        body.source ("lic", "null");

    if (claims.isTrial)
        body.source ("trial", "true");

    if (! claims.loss.empty())
        body.text ("loss", claims.loss);

    if (! claims.releaseHash.empty())
        body.text ("rel", claims.releaseHash);

    const auto head = JsonWriter().text ("alg", "EdDSA").text ("typ", "JWT").text ("kid", signer.kid).finish();
    const auto text = toBase64Url (head) + "." + toBase64Url (body.finish());
    return text + "." + toBase64Url (signer.sign (text));
}

std::string makeUpdate (const Signer& signer, const std::string& productId, const std::string& version)
{
    const auto body = JsonWriter()
                          .text ("iss", "https://licenses.example.com")
                          .text ("aud", productId)
                          .text ("ver", version)
                          .text ("file", "roehre.zip")
                          .integer ("size", 3)
                          .text ("sha256", sha256Hex ("abc"))
                          .integer ("iat", 1000)
                          .finish();
    const auto head =
        JsonWriter().text ("alg", "EdDSA").text ("typ", "tonerow-update+jwt").text ("kid", signer.kid).finish();
    const auto text = toBase64Url (head) + "." + toBase64Url (body);
    return text + "." + toBase64Url (signer.sign (text));
}

std::string makeUnlock (const Signer& signer, const std::string& productId, Seconds issuedAt, const char* type)
{
    const auto body = JsonWriter()
                          .text ("iss", "https://licenses.example.com")
                          .text ("sub", "unlock-1")
                          .text ("aud", productId)
                          .integer ("iat", issuedAt)
                          .source ("unlock", "true")
                          .finish();
    const auto head = JsonWriter().text ("alg", "EdDSA").text ("typ", type).text ("kid", signer.kid).finish();
    const auto text = toBase64Url (head) + "." + toBase64Url (body);
    return text + "." + toBase64Url (signer.sign (text));
}

std::string makeLicenseFile (const std::string& token)
{
    std::string file = "-----BEGIN TONEROW LICENSE-----\nProduct: Röhre 2\nValid until: 2026-06-08T12:00:00.000Z\n\n";

    for (std::size_t at = 0; at < token.size(); at += 64)
        file += token.substr (at, 64) + "\n";

    return file + "-----END TONEROW LICENSE-----";
}

Folder::Folder() :
    path (
        []
        {
            auto name = (std::filesystem::temp_directory_path() / "tonerow-plugin-XXXXXX").string();
            return std::string (mkdtemp (name.data()));
        }())
{
}

Folder::~Folder()
{
    std::error_code ignored;
    std::filesystem::permissions (path, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all (path, ignored);
}

std::string readText (const std::string& path)
{
    std::ifstream file (path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Held heldByThisProcess()
{
    Held held;
#if defined(__linux__)
    const auto threads = filesIn ("/proc/self/task");
    held.threads = threads.size();
    held.files = filesIn ("/proc/self/fd").size();

    // each has a space behind it
    for (const auto& each : threads)
        for (const auto c : readText ("/proc/self/task/" + each + "/children"))
            held.children += c == ' ' ? 1 : 0;
#endif
    return held;
}

void writeText (const std::string& path, const std::string& text)
{
    std::filesystem::create_directories (std::filesystem::path (path).parent_path());
    std::ofstream (path, std::ios::binary | std::ios::trunc) << text;
}

bool exists (const std::string& path) { return std::filesystem::exists (path); }

std::vector<std::string> filesIn (const std::string& folder)
{
    std::vector<std::string> names;

    for (const auto& each : std::filesystem::directory_iterator (folder))
        names.push_back (each.path().filename().string());

    std::sort (names.begin(), names.end());
    return names;
}

//======================================================================================================================
std::string FakeServer::verbOf (const HttpRequest& request)
{
    const std::string before = "/api/license/v1/";
    const auto path = request.url.substr (0, request.url.find ('?'));
    const auto at = path.find (before);
    return at == std::string::npos ? path : path.substr (at + before.size());
}

HttpResponse FakeServer::sign (const HttpRequest& request, const std::string& body, Seconds date) const
{
    const auto path = "/api/license/v1/" + verbOf (request);
    std::string nonce;

    for (const auto& each : request.headers)
        if (each.name == "X-Tonerow-Nonce")
            nonce = each.value;

    const auto text =
        request.method + "\n" + path + "\n" + sha256Hex (body) + "\n" + std::to_string (date) + "\n" + nonce;
    HttpResponse response;
    response.status = 200;
    response.body = body;
    response.headers = { { "x-tonerow-date", std::to_string (date) },
                         { "X-Tonerow-Signature", "ed25519=" + toBase64 (signer.sign (text)) + "; kid=" + signer.kid },
                         { "X-Tonerow-Nonce", nonce } };
    return response;
}

HttpResponse FakeServer::answer (const HttpRequest& request)
{
    const auto now = clock->time + ahead;
    const auto verb = verbOf (request);
    const auto asked = JsonObject::parse (request.body).value_or (JsonObject());
    const auto machine = asked.text ("machine_id");
    const auto seat = std::find (seats.begin(), seats.end(), machine);
    JsonWriter body;
    const auto refuse = [&] (const char* why)
    {
        body = JsonWriter();
        body.source ("ok", "false").text ("status", why).text ("error", std::string ("Refused: ") + why);
    };
    const auto accept = [&] (const std::string& token)
    {
        body.source ("ok", "true").text ("status", verb == "deactivate" ? "deactivated" : "active");

        if (! token.empty())
            body.text ("validation_token", token);

        body.integer ("max_activations", static_cast<std::int64_t> (mostSeats));
        body.integer ("remaining", static_cast<std::int64_t> (mostSeats - seats.size()));
    };
    const auto listOfSeats = [&]
    {
        std::string list;

        for (const auto& each : seats)
            list += (list.empty() ? "[" : ",")
                    + JsonWriter()
                          .text ("id", "seat-" + each)
                          .text ("name", "Studio " + each)
                          .text ("machine", each.substr (0, 8))
                          .text ("last_seen_at", "2026-03-09T08:00:00.000Z")
                          .source ("is_this", each == machine ? "true" : "false")
                          .finish();

        return list.empty() ? std::string ("[]") : list + "]";
    };
    const auto releaseSeat = [&]
    {
        const auto wanted = asked.text ("seat_id");
        const auto isWanted = [&wanted] (const std::string& each) { return "seat-" + each == wanted; };
        const auto before = seats.size();
        seats.erase (std::remove_if (seats.begin(), seats.end(), isWanted), seats.end());

        if (seats.size() == before)
            refuse ("not_activated");
        else
            body.source ("ok", "true").text ("status", "deactivated");
    };
    const auto token = [&]
    {
        Claims claims;
        claims.serialId = serialId;
        claims.machineId = machine;
        claims.issuedAt = now;
        claims.expiresAt = now + offlineDays * day;
        claims.loss = loss;
        return makeToken (signer, claims);
    };

    if (verb == "trial" || (verb == "validate" && asked.text ("license_key").empty()))
    {
        Claims claims;
        claims.serialId = "trial-1";
        claims.machineId = machine;
        claims.issuedAt = now;
        claims.expiresAt = claims.licenseEndsAt = now + trialDays * day;
        claims.isTrial = true;

        if (! hasTrial)
            refuse ("no_trial");
        else if (isTrialOver)
            refuse ("trial_expired");
        else
            body.source ("ok", "true").text ("status", "trial").text ("validation_token", makeToken (signer, claims));
    }
    else if (verb == "updates")
    {
        body.source ("ok", "true")
            .text ("status", "active")
            .text ("version", newest)
            .text ("notes", "Less noise.")
            .text ("link", updateLink);

        if (! updateSignature.empty())
            body.source ("file", JsonWriter().text ("name", "roehre.zip").text ("signature", updateSignature).finish());
    }
    else if (verb == "device")
    {
        body.source ("ok", "true")
            .text ("status", "pending")
            .text ("device_code", "device-code-1")
            .text ("user_code", "BCDF-GHJK")
            .text ("verification_uri", "https://licenses.example.com/device")
            .text ("verification_uri_complete", pageAddress)
            .integer ("expires_in", 600)
            .integer ("interval", 1);
    }
    else if (verb == "device/token" && asked.text ("device_code") != "device-code-1")
    {
        refuse ("code_expired");
    }
    else if (verb == "device/token" && answeredInBrowser != "yes")
    {
        refuse (answeredInBrowser.empty() ? "pending" : answeredInBrowser.c_str());
    }
    else if (verb == "device/token")
    {
        if (seat == seats.end() && seats.size() >= mostSeats)
        {
            refuse ("seat_limit");
        }
        else
        {
            if (seat == seats.end())
                seats.push_back (machine);

            accept (token());
            body.text ("license_key", serial);
        }
    }
    else if (asked.text ("device_code") == "device-code-1" && answeredInBrowser == "yes" && verb == "seats")
    {
        body.source ("ok", "true").text ("status", "seats").source ("seats", listOfSeats());
    }
    else if (asked.text ("device_code") == "device-code-1" && answeredInBrowser == "yes" && verb == "seats/release")
    {
        if (isConfirmedByEmail)
            releaseSeat();
        else
            refuse ("code_required");
    }
    else if (asked.text ("license_key") != serial)
    {
        refuse ("not_found");
    }
    else if (status != "active")
    {
        refuse (status.c_str());
    }
    else if (verb == "seats/code")
    {
        body.source ("ok", "true").text ("status", "code_sent");
    }
    else if (verb == "seats" && seat != seats.end() && asked.text ("validation_token") == token())
    {
        body.source ("ok", "true").text ("status", "seats").source ("seats", listOfSeats());
    }
    else if ((verb == "seats" || verb == "seats/release") && asked.text ("email_code").empty())
    {
        refuse ("code_required");
    }
    else if ((verb == "seats" || verb == "seats/release") && asked.text ("email_code") != emailedCode)
    {
        refuse ("code_expired");
    }
    else if (verb == "seats")
    {
        body.source ("ok", "true").text ("status", "seats").source ("seats", listOfSeats());
    }
    else if (verb == "seats/release")
    {
        releaseSeat();
    }
    else if (verb == "validate")
    {
        if (seat == seats.end())
            refuse ("not_activated");
        else
            accept (token());
    }
    else if (verb == "deactivate")
    {
        if (seat == seats.end())
        {
            refuse ("not_activated");
        }
        else
        {
            seats.erase (seat);
            accept ({});
        }
    }
    else
    {
        const auto* older = asked.find ("old_machine_ids");

        for (auto each = seats.begin(); each != seats.end();)
            if (older != nullptr && *each != machine && older->source.find ('"' + *each + '"') != std::string::npos)
                each = seats.erase (each);
            else
                ++each;

        if (std::find (seats.begin(), seats.end(), machine) == seats.end())
        {
            if (seats.size() >= mostSeats)
                refuse ("seat_limit");
            else
                seats.push_back (machine);
        }

        if (std::find (seats.begin(), seats.end(), machine) != seats.end())
            accept (token());
    }

    return sign (request, body.finish(), now);
}

void FakeServer::send (const HttpRequest& request, HttpExchange& exchange)
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        requests.push_back (request);
    }

    if ((instead && instead (request, exchange)) || ! isOnline)
        return;

    HttpResponse response;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        response = answer (request);
    }
    exchange.setStatus (response.status);

    for (const auto& each : response.headers)
        exchange.addHeader (each.name, each.value);

    exchange.addBody (response.body.data(), response.body.size());
    exchange.finish();
}

void FakeServer::cancel() noexcept {}

std::vector<std::string> FakeServer::paths() const
{
    const std::lock_guard<std::mutex> hold (mutex);
    std::vector<std::string> all;

    for (const auto& each : requests)
        all.push_back (verbOf (each));

    return all;
}

std::string FakeServer::lastBody() const
{
    const std::lock_guard<std::mutex> hold (mutex);
    return requests.empty() ? std::string() : requests.back().body;
}

std::size_t FakeServer::count() const { return paths().size(); }

//======================================================================================================================
ForgedPrograms::ForgedPrograms()
{
    const auto* before = std::getenv ("PATH");
    kept = before != nullptr ? before : "";

    for (const auto* name : { "/cat", "/lscpu" })
    {
        writeText (folder.path + name, "#!/bin/sh\n: > " + folder.path + "/started\necho forged\n");
        std::filesystem::permissions (folder.path + name, std::filesystem::perms::owner_all);
    }

    setenv ("PATH", (folder.path + ":" + kept).c_str(), 1);
}

ForgedPrograms::~ForgedPrograms() { setenv ("PATH", kept.c_str(), 1); }

bool ForgedPrograms::wereStarted() const { return exists (folder.path + "/started"); }

World::World() : home (folder.path + "/home") {}

Config World::config() const
{
    Config config;
    config.server = "https://licenses.example.com";
    config.pluginKey = "tnr_plg_0";
    config.productId = "product-1";
    config.productName = "Röhre 2";
    config.developerId = "developer-1";
    config.developer = "Ada Audio";
    config.version = "1.0.0";
    config.keys = { server->signer.publicKey() };
    return config;
}

Parts World::parts() const
{
    Parts parts;
    parts.verifier = createVerifier();
    parts.http = server;
    parts.clock = clock;
    parts.places.user = home;
    parts.places.machine = folder.path + "/everybody";
    parts.systemIds = systemIds;
    parts.olderMachineIds = olderMachineIds;
    parts.older = older;
    parts.os = "Linux";
    parts.limits = limits;
    return parts;
}

std::unique_ptr<License> World::open() const { return std::make_unique<License> (config(), parts()); }

std::string World::file() const { return home + "/Tonerow/Ada Audio/product-1.lic"; }

std::string World::machineId() const { return machineIdsFor ("developer-1", systemIds).front(); }

bool settle (License& license)
{
    return eventually ([&] { return license.view().busy == Busy::no; });
}

bool eventually (const std::function<bool()>& isSo)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds (10);

    while (! isSo())
    {
        if (std::chrono::steady_clock::now() > until)
            return false;

        std::this_thread::sleep_for (std::chrono::milliseconds (1));
    }

    return true;
}

} // namespace support
