// SPDX-License-Identifier: ISC
// A world for the core: a clock that is set, a folder of its own, and a license server that answers as the real one
// does.
#pragma once

#include <tonerow/license.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace support
{

using namespace tonerow;

std::string toBase64Url (const std::string& bytes);
std::string toBase64 (const std::string& bytes);

/** A key pair of Ed25519, always the same for the same name. */
class Signer
{
public:
    explicit Signer (const std::string& name);

    std::string sign (const std::string& message) const; // 64 bytes
    PublicKey publicKey() const;

    const std::string kid;

private:
    std::string secret, open;
};

/** What a token says. */
struct Claims
{
    std::string serialId = "serial-1", productId = "product-1", machineId;
    Seconds issuedAt = 0, expiresAt = 0, licenseEndsAt = 0;
    bool isTrial = false;
    std::string loss;
    std::string releaseHash;
};

std::string makeToken (const Signer&, const Claims&);
/** The signature of an update's file: "abc". */
std::string makeUpdate (const Signer&, const std::string& productId, const std::string& version);
/** An unlock for good of a product. */
std::string makeUnlock (const Signer&, const std::string& productId, Seconds issuedAt, const char* type);
std::string makeLicenseFile (const std::string& token);

/** What a process has: nothing of it may be more after a plugin was scanned. Counted on Linux alone. */
struct Held
{
    std::size_t threads = 0, files = 0, children = 0;
};

Held heldByThisProcess();

class TestClock final : public Clock
{
public:
    Seconds now() const noexcept override { return time; }

    std::atomic<Seconds> time { 1773144000 }; // 2026-03-10T12:00:00Z
};

/** A folder that is gone at the end. */
class Folder
{
public:
    Folder();
    ~Folder();

    const std::string path;
};

std::string readText (const std::string& path);
void writeText (const std::string& path, const std::string& text);
bool exists (const std::string& path);
std::vector<std::string> filesIn (const std::string& folder);

/** Programs named `cat` and `lscpu` that are found first, as long as this exists. */
class ForgedPrograms
{
public:
    ForgedPrograms();
    ~ForgedPrograms();

    ForgedPrograms (const ForgedPrograms&) = delete;
    ForgedPrograms& operator= (const ForgedPrograms&) = delete;

    /** Whether somebody has started one. */
    bool wereStarted() const;

private:
    const Folder folder;
    std::string kept;
};

/** The licensing API for one serial and one trial, over a transport that a test can spoil. */
class FakeServer final : public Http
{
public:
    explicit FakeServer (std::shared_ptr<TestClock> c) : clock (std::move (c)) {}

    void send (const HttpRequest&, HttpExchange&) override;
    void cancel() noexcept override;

    /** What is asked, without the query: "device/token". */
    static std::string verbOf (const HttpRequest&);

    /** The parts of a signed answer, as headers and body, for a test to change. */
    HttpResponse answer (const HttpRequest&);
    HttpResponse sign (const HttpRequest&, const std::string& body, Seconds date) const;

    const Signer signer { "key-current" };
    const std::shared_ptr<TestClock> clock;
    Seconds ahead = 0; // of the clock of the machine
    Seconds offlineDays = 30, trialDays = 14;
    std::string loss;

    // between two requests
    std::string serial = "AAAA-BBBB-CCCC-DDDD", status = "active", serialId = "serial-1";
    std::vector<std::string> seats;
    std::size_t mostSeats = 2;
    bool hasTrial = true, isTrialOver = false, isOnline = true;
    std::function<bool (const HttpRequest&, HttpExchange&)> instead; // true: it has answered itself
    // what somebody answered in the browser: "" until then, "yes", or a refusal; and how the page is reached
    std::string answeredInBrowser, pageAddress = "https://licenses.example.com/device?code=BCDF-GHJK";
    bool isConfirmedByEmail = true; // and so may release other computers
    std::string emailedCode = "BCDF-GHJK";
    std::string newest = "1.0.0", updateLink = "https://ada.example/roehre", updateSignature;

    std::vector<std::string> paths() const;
    std::string lastBody() const;
    std::size_t count() const;

private:
    mutable std::mutex mutex;
    std::vector<HttpRequest> requests;
};

/** Computers in a folder, and their plugins. */
struct World
{
    World();

    Config config() const;
    Parts parts() const;
    std::unique_ptr<License> open() const;

    Folder folder;
    std::shared_ptr<TestClock> clock = std::make_shared<TestClock>();
    std::shared_ptr<FakeServer> server = std::make_shared<FakeServer> (clock);
    std::vector<std::string> systemIds { "machine-id:5f2d1c0b9a8e47d6b3c2a1f0e9d8c7b6",
                                         "smbios:4c4c4544004d3510805ac2c04f4d3233" };
    std::vector<std::string> olderMachineIds;
    Older older;
    std::string home; // below the folder
    HttpLimits limits;

    std::string file() const;
    std::string machineId() const;
};

/** Waits until nothing is going on. False when that takes more than ten seconds. */
bool settle (License&);
/** Waits for something that another thread does. */
bool eventually (const std::function<bool()>&);

} // namespace support
