// SPDX-License-Identifier: ISC
// What a plugin does, told as what happens to a customer and to a cracker. The server is a stand-in that signs as the
// real one does; the clock, the machine and the folder are the test's.
#include "check.h"
#include "support.h"

#include <tonerow/json.h>
#include <tonerow/machine.h>
#include <tonerow/sha256.h>

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace support;

namespace
{

std::string stateOf (const License& license) { return nameOf (license.view().state); }

std::string noticeOf (const License& license) { return nameOf (license.view().notice); }

/** Activated, as a customer does it. */
std::unique_ptr<License> activated (World& world)
{
    auto license = world.open();
    license->activate (world.server->serial, "nina@example.com");
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "none");
    CHECK (license->isUnlocked());
    return license;
}

void askNow (License& license)
{
    license.checkNow();
    CHECK (settle (license));
}

std::string listed (const std::vector<std::string>& all)
{
    std::string text;

    for (const auto& each : all)
        text += (text.empty() ? "" : " ") + each;

    return text;
}

void deliver (HttpExchange& exchange, const HttpResponse& response)
{
    exchange.setStatus (response.status);

    for (const auto& each : response.headers)
        exchange.addHeader (each.name, each.value);

    exchange.addBody (response.body.data(), response.body.size());
    exchange.finish();
}

class Stopwatch
{
public:
    std::int64_t milliseconds() const { return steadyMilliseconds() - begin; }

private:
    const std::int64_t begin = steadyMilliseconds();
};

} // namespace

TEST ("license: activated once, it is unlocked at the first block of every start, without the network")
{
    World world;
    EQUAL (stateOf (*world.open()), "unlicensed");
    {
        const auto license = activated (world);
        EQUAL (stateOf (*license), "active");
        EQUAL (license->view().daysLeft, 30);
        EQUAL (license->view().seatsUsed, 1);
        EQUAL (license->view().seatsMax, 2);
        EQUAL (license->view().serialMasked, "AAAA-…-DDDD");
    }
    const auto asked = world.server->count();
    const Stopwatch watch;
    const auto again = world.open();
    CHECK (again->isUnlocked());
    CHECK (watch.milliseconds() < 50);
    EQUAL (world.server->count(), asked);
}

TEST ("license: nothing is sent before an editor opens or five seconds were processed, and no thread starts")
{
    World world;
    activated (world);
    world.clock->time += 2 * day;
    const auto asked = world.server->count();
    const auto before = heldByThisProcess();
    const auto license = world.open();

    // a scan, a short preview
    for (auto i = 0; i < 4 * 48000 / 64; ++i)
        license->processed (64, 48000.0);

    license->tick();
    sleepMilliseconds (50);
    EQUAL (world.server->count(), asked);
    const auto after = heldByThisProcess();
    CHECK (after.threads <= before.threads);
    EQUAL (after.files, before.files);
    EQUAL (after.children, before.children);

    for (auto i = 0; i < 48000 / 64 + 1; ++i)
        license->processed (64, 48000.0);

    license->tick();

    // the worker is one that would have been seen
    if (after.threads > 0)
        CHECK (eventually ([&] { return heldByThisProcess().threads > after.threads; }));

    CHECK (eventually ([&] { return world.server->count() == asked + 1; }));
    EQUAL (world.server->paths().back(), "validate");
}

TEST ("license: small blocks count, too")
{
    World world;
    activated (world);
    world.clock->time += 2 * day;
    const auto asked = world.server->count();
    const auto license = world.open();

    for (auto i = 0; i < 6 * 192000 / 16; ++i)
        license->processed (16, 192000.0);

    license->tick();
    CHECK (eventually ([&] { return world.server->count() > asked; }));
}

TEST ("license: the server's refusals are shown in its words, and change nothing")
{
    World world;
    const auto license = world.open();
    license->activate ("  ", "");
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "empty_serial");
    EQUAL (world.server->count(), 0u);
    world.server->seats = { "a", "b" };
    license->activate (" AAAA-BBBB-CCCC-DDDD\n", "nina@example.com");
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "refused");
    EQUAL (license->view().status, "seat_limit");
    EQUAL (license->view().message, "Refused: seat_limit");
    CHECK (! license->isUnlocked());
}

TEST ("license: only documented fields are sent, and no name of a user or computer")
{
    World world;
    activated (world);
    EQUAL (world.server->lastBody(),
           "{\"license_key\":\"AAAA-BBBB-CCCC-DDDD\",\"machine_id\":\"" + world.machineId()
               + "\",\"product_id\":\"product-1\",\"version\":\"1.0.0\",\"os\":\"Linux\",\"label\":\"Linux\","
                 "\"old_machine_ids\":[\""
               + machineIdsFor ("developer-1", world.systemIds)[1] + "\"],\"email\":\"nina@example.com\"}");
}

TEST ("license: a spoofed server neither locks nor unlocks")
{
    World world;
    const auto locked = world.open();
    const Signer stranger ("somebody else");
    const std::string yes = "{\"ok\":true,\"status\":\"active\",\"validation_token\":\"a.b.c\"}";
    const std::string no = "{\"ok\":false,\"status\":\"revoked\",\"error\":\"Ha\"}";
    auto body = yes;
    auto status = 200;
    world.server->instead = [&] (const HttpRequest&, HttpExchange& exchange)
    {
        HttpResponse response;
        response.status = status;
        response.body = body;
        deliver (exchange, response);
        return true;
    };

    for (const auto& each : { yes, no, std::string ("<html>"), std::string() })
    {
        for (const auto code : { 200, 302, 401, 403, 404, 429, 500 })
        {
            body = each;
            status = code;
            locked->activate ("AAAA-BBBB-CCCC-DDDD", "");
            CHECK (settle (*locked));
            CHECK (! locked->isUnlocked());
            // a stranger's words are not shown
            EQUAL (locked->view().message, "");
        }
    }

    const auto lie = world.server->instead;
    world.server->instead = nullptr;
    const auto license = activated (world);
    const auto stored = readText (world.file());
    world.server->instead = lie;

    for (const auto& each : { yes, no, std::string ("<html>"), std::string() })
    {
        for (const auto code : { 200, 401, 403, 404, 429, 500 })
        {
            body = each;
            status = code;
            askNow (*license);
            CHECK (license->isUnlocked());
            EQUAL (stateOf (*license), "active");
        }
    }

    CHECK (world.open()->isUnlocked());
    world.server->instead = nullptr;
    askNow (*license);
    EQUAL (stateOf (*license), "active");
}

TEST ("license: an old answer, and one to another question, are no answers")
{
    World world;
    HttpRequest asked;
    world.server->instead = [&] (const HttpRequest& request, HttpExchange&)
    {
        asked = request;
        return false;
    };
    const auto license = activated (world);
    const auto yes = world.server->answer (asked);
    world.server->status = "revoked";
    const auto no = world.server->answer (asked);
    world.server->status = "active";
    HttpResponse replayed = no;
    world.server->instead = [&] (const HttpRequest&, HttpExchange& exchange)
    {
        deliver (exchange, replayed);
        return true;
    };
    askNow (*license);
    EQUAL (stateOf (*license), "active");
    EQUAL (noticeOf (*license), "not_genuine");
    world.server->instead = nullptr;
    world.server->status = "revoked";
    askNow (*license);
    EQUAL (stateOf (*license), "revoked");
    replayed = yes;
    world.server->instead = [&] (const HttpRequest&, HttpExchange& exchange)
    {
        deliver (exchange, replayed);
        return true;
    };
    askNow (*license);
    EQUAL (stateOf (*license), "revoked");
    CHECK (! world.open()->isUnlocked());
}

TEST ("license: a good answer with a token for another product or computer unlocks nothing")
{
    World world;
    const auto license = world.open();
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + 30 * day;
    const auto tryWith = [&] (const Claims& each)
    {
        world.server->instead = [&] (const HttpRequest& request, HttpExchange& exchange)
        {
            const auto token = makeToken (world.server->signer, each);
            deliver (exchange,
                     world.server->sign (request,
                                         "{\"ok\":true,\"status\":\"active\",\"validation_token\":\"" + token + "\"}",
                                         world.clock->time));
            return true;
        };
        license->activate ("AAAA-BBBB-CCCC-DDDD", "");
        CHECK (settle (*license));
        return license->isUnlocked();
    };
    auto other = claims;
    other.productId = "product-2";
    CHECK (! tryWith (other));
    EQUAL (noticeOf (*license), "not_genuine");
    other = claims;
    other.machineId = "elsewhere";
    CHECK (! tryWith (other));
    other = claims;
    other.isTrial = true;
    CHECK (! tryWith (other));
    other = claims;
    other.expiresAt = claims.issuedAt - 1000;
    CHECK (! tryWith (other));
    CHECK (tryWith (claims));
}

TEST ("license: one that is revoked ends with the session, and is locked at the next start")
{
    World world;
    const auto license = activated (world);
    world.server->status = "revoked";
    askNow (*license);
    EQUAL (stateOf (*license), "revoked");
    CHECK (license->isUnlocked());
    CHECK (license->view().isFinishing);
    const auto next = world.open();
    CHECK (! next->isUnlocked());
    EQUAL (stateOf (*next), "revoked");
    // and comes back by itself when it is given back
    world.server->status = "active";
    askNow (*next);
    CHECK (next->isUnlocked());
    EQUAL (stateOf (*next), "active");
}

TEST ("license: a developer may want a lost license to bypass or mute at once")
{
    for (const std::string loss : { "bypass", "mute" })
    {
        World world;
        world.server->loss = loss;
        const auto license = activated (world);
        world.server->status = "revoked";
        askNow (*license);
        CHECK (! license->isUnlocked());
        CHECK (! license->view().isFinishing);
        CHECK (license->loss() == (loss == "mute" ? OnLoss::mute : OnLoss::bypass));
    }
}

TEST ("license: no network, for as long as the product allows it, and then a word")
{
    World world;
    activated (world);
    world.server->isOnline = false;
    world.clock->time += 26 * day;
    EQUAL (stateOf (*world.open()), "active");
    world.clock->time += day + hour;
    const auto soon = world.open();
    EQUAL (stateOf (*soon), "check_soon");
    EQUAL (soon->view().daysLeft, 3);
    CHECK (soon->isUnlocked());
    world.clock->time += 4 * day;
    const auto late = world.open();
    EQUAL (stateOf (*late), "expired");
    CHECK (! late->isUnlocked());
    askNow (*late);
    EQUAL (noticeOf (*late), "unreachable");
    world.server->isOnline = true;
    askNow (*late);
    CHECK (late->isUnlocked());
    EQUAL (stateOf (*late), "active");
}

TEST ("license: a daily check that fails is not spoken of while the license is good")
{
    World world;
    const auto license = activated (world);
    world.server->isOnline = false;
    world.clock->time += 2 * day;
    const auto asked = world.server->count();
    license->editorOpened();
    CHECK (eventually ([&] { return world.server->count() > asked; }));
    sleepMilliseconds (20);
    EQUAL (noticeOf (*license), "none");
    EQUAL (stateOf (*license), "active");
}

//======================================================================================================================
TEST ("machine: a copied file unlocks no other computer, and asks nothing")
{
    World world;
    activated (world);
    const auto asked = world.server->count();
    world.systemIds = { "machine-id:00112233445566778899aabbccddeeff" };
    const auto copy = world.open();
    CHECK (! copy->isUnlocked());
    EQUAL (stateOf (*copy), "other_machine");
    copy->editorOpened();
    askNow (*copy);
    EQUAL (world.server->count(), asked);
    // the owner may take it here, with a seat of its own
    copy->activate ("AAAA-BBBB-CCCC-DDDD", "");
    CHECK (settle (*copy));
    CHECK (copy->isUnlocked());
    EQUAL (world.server->seats.size(), 2u);
}

TEST ("machine: a new board or a new system costs no seat")
{
    for (const std::size_t changed : { 0u, 1u })
    {
        World world;
        activated (world);

        // a BIOS update, a new installation: three times
        for (const auto* id : { "x:0123456789abcdef0123456789abcde0",
                                "x:0123456789abcdef0123456789abcde1",
                                "x:0123456789abcdef0123456789abcde2" })
        {
            world.systemIds[changed] = id;
            const auto license = world.open();
            license->editorOpened();
            askNow (*license);
            CHECK (license->isUnlocked());
            EQUAL (stateOf (*license), "active");
            EQUAL (listed (world.server->seats), world.machineId());
        }
    }
}

TEST ("machine: what an older version of the plugin activated is taken over with its seat")
{
    World world;
    world.olderMachineIds = { "L896D48A88" };
    world.server->seats = { "L896D48A88" };
    Claims claims;
    claims.machineId = "L896D48A88";
    claims.issuedAt = world.clock->time - day;
    claims.expiresAt = claims.issuedAt + 30 * day;
    world.older = { "AAAA-BBBB-CCCC-DDDD", makeToken (world.server->signer, claims), "" };
    const auto license = world.open();
    CHECK (license->isUnlocked());
    // a start writes nothing
    CHECK (! exists (world.home));
    askNow (*license);
    EQUAL (world.server->paths().back(), "activate");
    EQUAL (listed (world.server->seats), world.machineId());
    // once: what was stored since is not replaced
    world.older = { "OLD", "", "" };
    const auto next = world.open();
    EQUAL (stateOf (*next), "active");
    EQUAL (next->view().serialMasked, "AAAA-…-DDDD");
    askNow (*next);
    EQUAL (world.server->paths().back(), "validate");
}

TEST ("machine: what an older version stored goes along with a license file that is read first")
{
    World world;
    world.older = { "AAAA-BBBB-CCCC-DDDD", "", "" };
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + day;
    const auto license = world.open();
    EQUAL (nameOf (license->readLicenseFile (makeLicenseFile (makeToken (world.server->signer, claims)))), "none");
    EQUAL (world.open()->view().serialMasked, "AAAA-…-DDDD");
}

TEST ("machine: computers without an id get one each, and keep it")
{
    World one, other;
    one.systemIds = other.systemIds = {};
    const auto id = [] (World& world)
    {
        activated (world);
        EQUAL (stateOf (*world.open()), "active");
        return world.server->seats.front();
    };
    const auto first = id (one), second = id (other);
    EQUAL (first.size(), 32u);
    CHECK (first != second);
    CHECK (one.open()->machineFile().find (first) != std::string::npos);
}

//======================================================================================================================
TEST ("hosts: a trial or a license file in one does not replace what the other activated")
{
    World world;
    const auto one = world.open(), other = world.open();
    activated (world);
    CHECK (! other->isUnlocked());
    other->startTrial();
    CHECK (settle (*other));
    EQUAL (stateOf (*other), "active");
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + day;
    EQUAL (nameOf (one->readLicenseFile (makeLicenseFile (makeToken (world.server->signer, claims)))),
           std::string ("none"));
    const auto next = world.open();
    EQUAL (stateOf (*next), "active");
    EQUAL (next->view().serialMasked, "AAAA-…-DDDD");
}

TEST ("hosts: what one activates unlocks the others")
{
    World world;
    const auto other = world.open();
    other->editorOpened();
    CHECK (! other->isUnlocked());
    activated (world);
    CHECK (eventually ([&] { return other->isUnlocked(); }));
}

TEST ("hosts: 64 instances in three processes ask once a day")
{
    World world;
    activated (world);
    world.clock->time += 2 * day;
    const auto log = world.folder.path + "/log";
    writeText (log, "");
    world.server->instead = [&] (const HttpRequest&, HttpExchange&)
    {
        const auto file = open (log.c_str(), O_WRONLY | O_APPEND);
        const auto ok = write (file, "x", 1) == 1;
        close (file);
        return ! ok;
    };
    pid_t children[3];

    for (auto& child : children)
    {
        child = fork();

        if (child == 0)
        {
            std::vector<std::unique_ptr<License>> instances;

            for (auto i = 0; i < 64; ++i)
            {
                instances.push_back (world.open());
                instances.back()->editorOpened();
            }

            const auto hasAsked = eventually ([&] { return ! readText (log).empty(); });
            sleepMilliseconds (300);
            const auto isGood =
                std::all_of (instances.begin(), instances.end(), [] (auto& each) { return each->isUnlocked(); });
            instances.clear();
            _exit (hasAsked && isGood ? 0 : 1);
        }
    }

    for (const auto child : children)
    {
        auto status = 1;
        waitpid (child, &status, 0);
        EQUAL (status, 0);
    }

    EQUAL (readText (log), "x");
}

TEST ("hosts: a lock that somebody holds does not hold up a start, and an activation holds for the session")
{
    World world;
    activated (world);
    const auto lock = open ((world.file() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
    CHECK (lock >= 0 && flock (lock, LOCK_EX) == 0);
    const Stopwatch watch;
    const auto license = world.open();
    CHECK (watch.milliseconds() < 20 * 5);
    CHECK (license->isUnlocked());
    world.server->serial = "EEEE-FFFF-GGGG-HHHH";
    license->activate ("EEEE-FFFF-GGGG-HHHH", "");
    CHECK (settle (*license));
    EQUAL (license->view().serialMasked, "EEEE-…-HHHH");
    EQUAL (license->view().storeTrouble.reason, "another program is writing");
    close (lock);
}

//======================================================================================================================
TEST ("clock: ten years ahead or behind unlock nothing more and lock nobody who has a network")
{
    for (const auto years : { 10, -10 })
    {
        World world;
        const auto off = years * 365 * day;
        activated (world);
        world.clock->time += off;
        world.server->ahead = -off;
        const auto license = world.open();
        askNow (*license);
        CHECK (license->isUnlocked());
        EQUAL (stateOf (*license), "active");
        // it holds at the next start with the same wrong clock, without the network
        world.server->isOnline = false;
        world.clock->time += day;
        CHECK (world.open()->isUnlocked());
        // and when the clock has been set right
        world.clock->time -= off;
        CHECK (world.open()->isUnlocked());
        // but not for longer than the product allows
        world.clock->time += off + 31 * day;
        CHECK (! world.open()->isUnlocked());
        world.clock->time -= off;
        CHECK (! world.open()->isUnlocked());
    }
}

TEST ("clock: turned back before what was seen, it wins nothing, and is spoken of")
{
    World world;
    const auto license = activated (world);
    world.clock->time += 29 * day;
    license->editorOpened();
    CHECK (eventually (
        [&] { return readText (world.file()).find (std::to_string (world.clock->time)) != std::string::npos; }));
    world.server->isOnline = false;
    world.clock->time -= 29 * day;
    const auto back = world.open();
    EQUAL (back->view().daysLeft, 1);
    EQUAL (noticeOf (*back), "clock_is_wrong");
    CHECK (back->isUnlocked());
}

TEST ("clock: a file without its newest time is none, and turning the clock back with it wins nothing")
{
    World world;
    world.server->isOnline = true;
    activated (world);
    auto text = readText (world.file());
    const auto at = text.find ("\"seen\"");
    CHECK (at != std::string::npos);
    text.erase (at, text.find (',', at) - at + 1);
    writeText (world.file(), text);
    writeText (world.file() + ".bak", text);
    CHECK (! world.open()->isUnlocked());
    // what was there is kept for whoever looks for it
    EQUAL (readText (world.file()), text);
}

TEST ("clock: what a clock that was ahead has seen is taken back by the server")
{
    World world;
    const auto license = activated (world);
    world.clock->time += 25 * day;
    license->editorOpened();
    CHECK (eventually (
        [&] { return readText (world.file()).find (std::to_string (world.clock->time)) != std::string::npos; }));
    world.clock->time -= 25 * day;
    askNow (*license);
    EQUAL (license->view().daysLeft, 30);
    EQUAL (world.open()->view().daysLeft, 30);
}

//======================================================================================================================
TEST ("trial: counts down, ends, and does not begin again")
{
    World world;
    const auto license = world.open();
    license->startTrial();
    CHECK (settle (*license));
    EQUAL (stateOf (*license), "trial");
    EQUAL (license->view().daysLeft, 14);
    world.clock->time += 13 * day + hour;
    EQUAL (world.open()->view().daysLeft, 1);
    world.clock->time += 2 * day;
    const auto over = world.open();
    EQUAL (stateOf (*over), "trial_ended");
    CHECK (! over->isUnlocked());
    world.server->isTrialOver = true;
    over->startTrial();
    CHECK (settle (*over));
    EQUAL (noticeOf (*over), "refused");
    EQUAL (over->view().status, "trial_expired");
    EQUAL (stateOf (*over), "trial_ended");
    over->activate ("AAAA-BBBB-CCCC-DDDD", "");
    CHECK (settle (*over));
    EQUAL (stateOf (*over), "active");
}

TEST ("trial: there is none, and that is said")
{
    World world;
    world.server->hasTrial = false;
    const auto license = world.open();
    license->startTrial();
    CHECK (settle (*license));
    EQUAL (license->view().status, "no_trial");
    EQUAL (stateOf (*license), "unlicensed");
}

TEST ("license file: for this computer alone, until it ends, and the longer one stays")
{
    World world;
    const auto license = world.open();
    const auto file = [&] (const std::string& machine, Seconds days)
    {
        Claims claims;
        claims.machineId = machine;
        claims.issuedAt = world.clock->time;
        claims.expiresAt = claims.issuedAt + days * day;
        return makeLicenseFile (makeToken (world.server->signer, claims));
    };
    const auto said = [&] (const std::string& text) { return std::string (nameOf (license->readLicenseFile (text))); };
    EQUAL (license->machineFile().substr (0, license->machineFile().find (",\"release_hash\":\"")),
           "{\"machine_id\":\"" + world.machineId() + "\",\"device\":\"Linux\",\"app\":\"Röhre 2\"");
    EQUAL (said ("nothing"), "wrong_file");
    EQUAL (said (file ("elsewhere", 90)), "wrong_file");
    EQUAL (said (file (world.machineId(), -2)), "expired_file");
    CHECK (! license->isUnlocked());
    EQUAL (said (file (world.machineId(), 90)), "none");
    EQUAL (stateOf (*license), "leased");
    EQUAL (license->view().daysLeft, 90);
    EQUAL (said (file (world.machineId(), 10)), "lease_longer");
    EQUAL (world.open()->view().daysLeft, 90);
    EQUAL (world.server->count(), 0u);
    world.clock->time += 91 * day;
    const auto over = world.open();
    EQUAL (stateOf (*over), "expired");
    CHECK (! over->isUnlocked());
}

namespace
{

/** The license file that the server makes for a machine file. */
std::string licenseFor (const World& world, const std::string& machineFile, Seconds days = 90)
{
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + days * day;
    claims.releaseHash = JsonObject::parse (machineFile).value_or (JsonObject()).text ("release_hash");
    return makeLicenseFile (makeToken (world.server->signer, claims));
}

/** What it is stored in. */
Store::Settings storeOf (const World& world)
{
    Store::Settings settings;
    settings.places = world.parts().places;
    settings.developer = world.config().developer;
    settings.product = world.config().productId;
    settings.sealKey = "tonerow seal 1\n" + world.config().developerId + "\n" + world.config().productId;
    return settings;
}

std::string outcomeOf (License& license, const std::string& file) { return nameOf (license.readLicenseFile (file)); }

} // namespace

TEST ("offline release: the license file is given up here before there is a proof, and never taken again")
{
    World world;
    const auto license = world.open();
    EQUAL (license->releaseOffline(), "");
    const auto machineFile = license->machineFile();
    EQUAL (license->machineFile(), machineFile); // one secret until it is used
    const auto file = licenseFor (world, machineFile);
    EQUAL (outcomeOf (*license, file), "none");
    CHECK (license->view().isReleasable && ! license->view().isReleased);

    const auto proof = license->releaseOffline();
    const auto told = JsonObject::parse (proof).value_or (JsonObject());
    EQUAL (told.text ("serial_id"), "serial-1");
    EQUAL (told.text ("product_id"), "product-1");
    EQUAL (told.text ("release").size(), 64u);
    EQUAL (sha256Hex (told.text ("release")),
           JsonObject::parse (machineFile).value_or (JsonObject()).text ("release_hash"));
    CHECK (! license->isUnlocked()); // at once: nothing is finished
    EQUAL (stateOf (*license), "unlicensed");
    EQUAL (outcomeOf (*license, file), "spent_file");
    CHECK (! world.open()->isUnlocked());
    CHECK (license->view().isReleased && ! license->view().isReleasable);
    EQUAL (license->releaseOffline(), proof); // the file of it can be lost
    EQUAL (world.open()->releaseOffline(), proof);
    EQUAL (world.server->count(), 0u);

    // the copy of the store that is kept has no license either, and without both there is no secret
    EQUAL (unlink (world.file().c_str()), 0);
    CHECK (! world.open()->isUnlocked());
    EQUAL (outcomeOf (*world.open(), file), "spent_file");
    unlink (world.file().c_str());
    unlink ((world.file() + ".bak").c_str());
    EQUAL (outcomeOf (*world.open(), file), "spent_file");
}

TEST ("offline release: the next license file has a secret of its own")
{
    World world;
    const auto license = world.open();
    const auto first = license->machineFile();
    EQUAL (outcomeOf (*license, licenseFor (world, first)), "none");
    EQUAL (outcomeOf (*license, licenseFor (world, first, 120)), "none"); // a renewal is for the same one
    const auto proof = license->releaseOffline();
    const auto second = license->machineFile();
    CHECK (! proof.empty() && first != second);
    EQUAL (outcomeOf (*license, licenseFor (world, first, 200)), "spent_file");
    EQUAL (outcomeOf (*license, licenseFor (world, second)), "none");
    EQUAL (stateOf (*license), "leased");
    const auto next = license->releaseOffline();
    CHECK (! next.empty() && next != proof);
    EQUAL (outcomeOf (*license, licenseFor (world, first)), "spent_file");
    EQUAL (outcomeOf (*license, licenseFor (world, second)), "spent_file");
}

TEST ("offline release: a license file without a proof stays until it ends, and one for another secret is not taken")
{
    World world;
    const auto license = world.open();
    EQUAL (outcomeOf (*license, licenseFor (world, "{}")), "none");
    CHECK (! license->view().isReleasable);
    EQUAL (license->releaseOffline(), "");
    EQUAL (stateOf (*license), "leased");

    World other; // the same computer, with another store
    EQUAL (outcomeOf (*other.open(), licenseFor (other, license->machineFile())), "spent_file");
    CHECK (! other.open()->isUnlocked());
}

TEST ("offline release: there is no proof where it could not be stored, and the license stays")
{
    World world;
    const auto license = world.open();
    EQUAL (outcomeOf (*license, licenseFor (world, license->machineFile())), "none");
    const auto stored = readText (world.file());
    const auto folder = world.file().substr (0, world.file().rfind ('/'));
    EQUAL (rename (folder.c_str(), (folder + "-away").c_str()), 0);
    writeText (folder, "no folder");
    EQUAL (license->releaseOffline(), "");
    unlink (folder.c_str());
    EQUAL (rename ((folder + "-away").c_str(), folder.c_str()), 0);
    EQUAL (readText (world.file()), stored);
    CHECK (world.open()->isUnlocked());
    CHECK (! license->releaseOffline().empty());

    World nowhere; // a secret that is not stored is not promised
    writeText (nowhere.folder.path + "/file", "no folder");
    nowhere.home = nowhere.folder.path + "/file";
    CHECK (nowhere.open()->machineFile().find ("release_hash") == std::string::npos);
}

TEST ("offline release: half of one is completed, and gives nothing back meanwhile")
{
    World world;
    const auto license = world.open();
    const auto file = licenseFor (world, license->machineFile());
    EQUAL (outcomeOf (*license, file), "none");
    const auto proof = license->releaseOffline();
    // as if its process had ended after the first of two changes: the store still has the secret
    Store store (storeOf (world));
    Change change;
    change.set.setText (field::releaseSecret, JsonObject::parse (proof).value_or (JsonObject()).text ("release"));
    CHECK (store.update (change) == Saved::yes);
    const auto next = world.open();
    EQUAL (outcomeOf (*next, file), "spent_file");
    EQUAL (next->releaseOffline(), proof);
    EQUAL (store.read().text (field::releaseSecret), "");
    CHECK (next->machineFile().find (sha256Hex (JsonObject::parse (proof)->text ("release"))) == std::string::npos);
}

TEST ("offline release: a file for all users is not one account's to give up, and comes back for none that did")
{
    World world;
    const auto license = world.open();
    const auto file = licenseFor (world, license->machineFile());
    const auto everybody = world.folder.path + "/everybody/Tonerow/Ada Audio/product-1.lic";
    EQUAL (outcomeOf (*license, file), "none");
    writeText (everybody, file);
    CHECK (! world.open()->view().isReleasable);
    EQUAL (license->releaseOffline(), "");
    CHECK (license->isUnlocked());
    unlink (everybody.c_str());
    CHECK (! license->releaseOffline().empty());
    writeText (everybody, file);
    CHECK (! world.open()->isUnlocked());

    // whoever did not ask for it has no secret, and reads it where it lies
    World other;
    writeText (other.folder.path + "/everybody/Tonerow/Ada Audio/product-1.lic", file);
    EQUAL (stateOf (*other.open()), "leased");
}

TEST ("offline release: with the store as it was before, the license comes back until it ends")
{
    // what nothing on this computer can prevent: it is known, and the seat's limit for new computers bounds it
    World world;
    const auto license = world.open();
    EQUAL (outcomeOf (*license, licenseFor (world, license->machineFile())), "none");
    const auto before = readText (world.file());
    CHECK (! license->releaseOffline().empty());
    writeText (world.file(), before);
    CHECK (world.open()->isUnlocked());
    world.clock->time += 91 * day;
    CHECK (! world.open()->isUnlocked());
}

TEST ("license file: one for all users of a studio's computer is read where it lies, until it is revoked")
{
    World world;
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + 90 * day;
    writeText (world.folder.path + "/everybody/Tonerow/Ada Audio/product-1.lic",
               makeLicenseFile (makeToken (world.server->signer, claims)));
    EQUAL (stateOf (*world.open()), "leased");
    CHECK (! exists (world.home));
    const auto license = activated (world);
    world.server->status = "revoked";
    askNow (*license);
    const auto next = world.open();
    CHECK (! next->isUnlocked());
    EQUAL (stateOf (*next), "revoked");
}

TEST ("end of life: an unlock for good is a file, needs no server and no clock, and nothing takes it away")
{
    World world;
    const auto file = makeLicenseFile (makeUnlock (world.server->signer, "product-1", world.clock->time, "unlock+jwt"));
    {
        const auto license = activated (world);
        world.server->status = "revoked";
        askNow (*license);
        EQUAL (stateOf (*license), "revoked");
        EQUAL (nameOf (license->readLicenseFile (file)), std::string ("none"));
        EQUAL (stateOf (*license), "for_good");
        CHECK (! license->view().isFinishing);
        // the server that said no is not asked again
        const auto asked = world.server->count();
        askNow (*license);
        EQUAL (world.server->count(), asked);
    }
    world.server->isOnline = false;

    for (const auto years : { 100, -150 })
    {
        world.clock->time += years * 365 * day;
        const auto license = world.open();
        CHECK (license->isUnlocked());
        EQUAL (stateOf (*license), "for_good");
        EQUAL (noticeOf (*license), "none");
    }

    // it is everybody's: on another computer, too
    world.systemIds = { "machine-id:00112233445566778899aabbccddeeff" };
    CHECK (world.open()->isUnlocked());

    World other;
    EQUAL (nameOf (other.open()->readLicenseFile (
               makeLicenseFile (makeUnlock (other.server->signer, "product-2", other.clock->time, "unlock+jwt")))),
           std::string ("wrong_file"));
    // as the server gives it
    const auto token = tokenIn (file);
    const auto download = JsonWriter()
                              .text ("product_id", "product-1")
                              .text ("product_name", "Röhre 2")
                              .text ("token", token)
                              .source ("published_at", "null")
                              .finish();
    EQUAL (nameOf (other.open()->readLicenseFile (download)), std::string ("none"));
    CHECK (other.open()->isUnlocked());
    World studio;
    writeText (studio.folder.path + "/everybody/Tonerow/Ada Audio/product-1.lic", file);
    EQUAL (stateOf (*studio.open()), "for_good");
}

//======================================================================================================================
TEST ("browser: the page and its code are shown until somebody confirms, and then it is unlocked")
{
    World world;
    const auto license = world.open();
    license->activateInBrowser();
    CHECK (eventually ([&] { return license->view().page.isOpen(); }));
    CHECK (license->view().busy == Busy::browsing);
    EQUAL (license->view().page.address, world.server->pageAddress);
    EQUAL (license->view().page.code, "BCDF-GHJK");
    CHECK (! license->isUnlocked());
    world.server->answeredInBrowser = "yes";
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "none");
    CHECK (license->isUnlocked());
    CHECK (! license->view().page.isOpen());
    EQUAL (listed (world.server->seats), world.machineId());
    // its serial is known from then on, for the daily question
    world.clock->time += 2 * day;
    askNow (*license);
    EQUAL (world.server->paths().back(), "validate");
    CHECK (license->isUnlocked());
}

TEST ("browser: who says no, lets the code expire or has no seat left is told, and nothing changes")
{
    for (const auto* why : { "denied", "code_expired", "seat_limit" })
    {
        World world;
        const auto license = world.open();
        world.server->answeredInBrowser = why;
        license->activateInBrowser();
        CHECK (settle (*license));
        EQUAL (noticeOf (*license), "refused");
        EQUAL (license->view().status, why);
        CHECK (! license->view().page.isOpen());
        CHECK (! license->isUnlocked());
    }
}

TEST ("browser: canceling, another way in, and closing end the waiting at once")
{
    World world;
    const auto license = world.open();
    license->activateInBrowser();
    CHECK (eventually ([&] { return license->view().page.isOpen(); }));
    const Stopwatch canceling;
    license->cancel();
    CHECK (settle (*license));
    CHECK (canceling.milliseconds() < 500);
    EQUAL (noticeOf (*license), "canceled");

    license->activateInBrowser();
    CHECK (eventually ([&] { return license->view().page.isOpen(); }));
    license->activate (world.server->serial, "nina@example.com");
    CHECK (settle (*license));
    CHECK (license->isUnlocked());
    CHECK (! license->view().page.isOpen());

    auto next = world.open();
    next->activateInBrowser();
    CHECK (eventually ([&] { return next->view().page.isOpen(); }));
    const Stopwatch closing;
    next.reset();
    CHECK (closing.milliseconds() < 200);
}

TEST ("browser: a page that is none, and answers that nobody signed, are no way in")
{
    for (const auto* address : { "file:///etc/passwd", "javascript:alert(1)", "https://a b", "" })
    {
        World world;
        world.server->pageAddress = address;
        const auto license = world.open();
        license->activateInBrowser();

        // without the whole address, there is the short one
        if (*address == '\0')
        {
            CHECK (eventually ([&] { return license->view().page.isOpen(); }));
            EQUAL (license->view().page.address, "https://licenses.example.com/device");
            license->cancel();
        }

        CHECK (settle (*license));
        EQUAL (noticeOf (*license), *address == '\0' ? "canceled" : "not_genuine");
        CHECK (! license->isUnlocked());
    }

    World world;
    const auto license = world.open();
    world.server->instead = [&] (const HttpRequest& request, HttpExchange& exchange)
    {
        if (FakeServer::verbOf (request) != "device/token")
            return false;

        deliver (exchange, { HttpFailure::none, 200, "{\"ok\":true,\"status\":\"active\"}", {} });
        return true;
    };
    license->activateInBrowser();
    CHECK (eventually ([&] { return license->view().page.isOpen() && world.server->count() > 2; }));
    CHECK (! license->isUnlocked());
    license->cancel();
    CHECK (settle (*license));
}

//======================================================================================================================
TEST ("seats: with a code from the owner's email another computer is released, and this one takes its seat")
{
    World world;
    world.server->seats = { "a", "b" };
    const auto license = world.open();
    license->activate (world.server->serial, "nina@example.com");
    CHECK (settle (*license));
    EQUAL (license->view().status, "seat_limit");
    license->sendSeatsCode();
    CHECK (settle (*license));
    CHECK (license->view().isCodeSent);
    license->listSeats ("XXXX-XXXX");
    CHECK (settle (*license));
    EQUAL (license->view().status, "code_expired");
    CHECK (! license->view().areSeatsKnown);
    license->listSeats (" BCDF-GHJK\n");
    CHECK (settle (*license));
    CHECK (license->view().areSeatsKnown);
    EQUAL (license->view().seats.size(), 2u);
    EQUAL (license->view().seats.front().name, "Studio a");
    EQUAL (license->view().seats.front().lastSeen, "2026-03-09");
    license->releaseSeat ("seat-a");
    CHECK (settle (*license));
    CHECK (license->isUnlocked());
    EQUAL (listed (world.server->seats), "b " + world.machineId());
    EQUAL (license->view().seats.size(), 1u);
}

TEST ("seats: a computer that has one lists all by its token, and releases no other than its own")
{
    World world;
    world.server->seats = { "a" };
    const auto license = activated (world);
    license->listSeats ("");
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "none");
    CHECK (license->view().areSeatsKnown);
    EQUAL (license->view().seats.size(), 2u);
    license->releaseSeat ("seat-a");
    CHECK (settle (*license));
    EQUAL (license->view().status, "code_required");
    CHECK (license->isUnlocked());
    EQUAL (listed (world.server->seats), "a " + world.machineId());
    license->releaseSeat ("seat-" + world.machineId());
    CHECK (settle (*license));
    CHECK (! license->isUnlocked());
    EQUAL (listed (world.server->seats), "a");
}

TEST ("seats: a computer without one has no token for them, and none for another serial's")
{
    World world;
    world.server->seats = { "a", "b" };
    const auto license = world.open();
    license->activate (world.server->serial, "");
    CHECK (settle (*license));
    license->listSeats ("");
    CHECK (settle (*license));
    EQUAL (license->view().status, "code_required");
    CHECK (world.server->lastBody().find ("validation_token") == std::string::npos);
    world.server->seats.clear();
    license->activate (world.server->serial, "");
    CHECK (settle (*license));
    CHECK (license->isUnlocked());
    license->activate ("EEEE-FFFF-GGGG-HHHH", "");
    CHECK (settle (*license));
    license->listSeats ("");
    CHECK (settle (*license));
    CHECK (world.server->lastBody().find ("validation_token") == std::string::npos);
}

TEST ("seats: whoever confirmed in the browser needs no code for them, and waits for no other page")
{
    World world;
    world.server->seats = { "a", "b" };
    world.server->answeredInBrowser = "yes";
    const auto license = world.open();
    license->activateInBrowser();
    CHECK (settle (*license));
    EQUAL (license->view().status, "seat_limit");
    license->sendSeatsCode();
    CHECK (settle (*license));
    CHECK (license->view().areSeatsKnown);
    EQUAL (license->view().seats.size(), 2u);
    license->releaseSeat ("seat-b");
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "none");
    CHECK (license->isUnlocked());
    EQUAL (listed (world.server->seats), "a " + world.machineId());
    const auto paths = world.server->paths();
    EQUAL (std::count (paths.begin(), paths.end(), "seats/code"), 0);
}

TEST ("seats: a page that was not opened by the owner's email releases none, and the serial with an emailed code does")
{
    World world;
    world.server->seats = { "a", "b" };
    world.server->answeredInBrowser = "yes";
    world.server->isConfirmedByEmail = false;
    const auto license = world.open();
    license->activateInBrowser();
    CHECK (settle (*license));
    license->sendSeatsCode();
    CHECK (settle (*license));
    license->releaseSeat ("seat-b");
    CHECK (settle (*license));
    EQUAL (license->view().status, "code_required");
    CHECK (! license->view().areSeatsKnown);
    EQUAL (listed (world.server->seats), "a b");
    license->activate (world.server->serial, "nina@example.com");
    CHECK (settle (*license));
    license->sendSeatsCode();
    CHECK (settle (*license));
    CHECK (license->view().isCodeSent);
    license->listSeats (world.server->emailedCode);
    CHECK (settle (*license));
    license->releaseSeat ("seat-b");
    CHECK (settle (*license));
    CHECK (license->isUnlocked());
}

//======================================================================================================================
TEST ("updates: one question a day, while an editor is open, and only where the developer wants it")
{
    World world;
    world.server->newest = "1.1";
    auto config = world.config();
    {
        License quiet (config, world.parts());
        quiet.editorOpened();
        quiet.lookForUpdate();
        CHECK (settle (quiet));
        EQUAL (quiet.view().update.version, "1.1");
    }
    world.clock->time += 2 * day;
    config.looksForUpdates = true;
    const auto asked = [&]
    {
        const auto all = world.server->paths();
        return std::count (all.begin(), all.end(), "updates");
    };
    EQUAL (asked(), 1);
    License one (config, world.parts()), other (config, world.parts());
    one.editorOpened();
    other.editorOpened();
    CHECK (eventually ([&] { return asked() == 2; }));
    CHECK (eventually ([&] { return other.view().update.version == "1.1"; }));
    EQUAL (asked(), 2);
}

TEST ("updates: only what is newer, has a real address, and a file only with the developer's signature of its hash")
{
    const auto found = [] (const char* version, const char* link, const std::string& signature)
    {
        World world;
        world.server->newest = version;
        world.server->updateLink = link;
        world.server->updateSignature = signature;
        const auto license = world.open();
        license->lookForUpdate();
        CHECK (settle (*license));
        return license->view().update;
    };
    const Signer signer ("key-current");
    const auto* link = "https://ada.example/roehre";
    const auto signature = makeUpdate (signer, "product-1", "2.0");
    CHECK (! found ("1.0.0", link, signature).isThere());
    CHECK (! found ("0.9", link, signature).isThere());
    CHECK (! found ("2.0", "file:///tmp/x", signature).isThere());
    const auto update = found ("2.0", link, signature);
    CHECK (update.isThere() && update.file.has_value());

    if (update.file)
    {
        EQUAL (update.file->name, "roehre.zip");
        CHECK (isUpdateFile (*update.file, "abc"));
        CHECK (! isUpdateFile (*update.file, "abd"));
        CHECK (! isUpdateFile (*update.file, "abcd"));
    }

    // the page alone is left of what is another product's, version's or developer's, or a license
    Claims claims;
    claims.expiresAt = 9000000000;

    for (const auto& wrong : { makeUpdate (signer, "product-2", "2.0"),
                               makeUpdate (signer, "product-1", "1.5"),
                               makeUpdate (Signer ("key-other"), "product-1", "2.0"),
                               makeToken (signer, claims),
                               signature + "A",
                               std::string ("nonsense") })
    {
        const auto page = found ("2.0", link, wrong);
        CHECK (page.isThere() && ! page.file.has_value());
    }
}

TEST ("updates: versions are compared by their numbers")
{
    CHECK (isNewerVersion ("1.10", "1.9"));
    CHECK (isNewerVersion ("2", "1.9.9"));
    CHECK (isNewerVersion ("1.0.1", "1.0"));
    CHECK (! isNewerVersion ("1.0.0", "1"));
    CHECK (! isNewerVersion ("1.9", "1.10"));
    CHECK (! isNewerVersion ("latest", "1.0"));
    CHECK (! isNewerVersion ("", "1.0"));
    CHECK (isNewerVersion ("99999999999999999999", "1"));
}

//======================================================================================================================
TEST ("release: gives the seat back, and locks at once")
{
    World world;
    const auto license = activated (world);
    license->release();
    CHECK (settle (*license));
    CHECK (! license->isUnlocked());
    EQUAL (stateOf (*license), "unlicensed");
    CHECK (world.server->seats.empty());
    EQUAL (world.open()->view().serialMasked, "");
}

TEST ("release: without a network nothing is lost")
{
    World world;
    const auto license = activated (world);
    world.server->isOnline = false;
    license->release();
    CHECK (settle (*license));
    CHECK (license->isUnlocked());
    EQUAL (noticeOf (*license), "unreachable");
    EQUAL (stateOf (*world.open()), "active");
}

//======================================================================================================================
TEST ("closing: takes less than 200 ms while a name server does not answer, and says nothing more")
{
    std::atomic<bool> isOver { false };
    std::atomic<int> asked { 0 };
    std::atomic<int> heard { 0 };
    World world;
    world.server->instead = [&] (const HttpRequest&, HttpExchange&)
    {
        ++asked;

        while (! isOver)
            sleepMilliseconds (1);

        --asked;
        return true;
    };
    auto license = world.open();
    license->setListener ([] (void* count) { ++*static_cast<std::atomic<int>*> (count); }, &heard);
    license->activate ("AAAA-BBBB-CCCC-DDDD", "");
    CHECK (eventually ([&] { return asked == 1; }));
    license->removeListener();
    const auto before = heard.load();
    const Stopwatch watch;
    license.reset();
    CHECK (watch.milliseconds() < 200);
    isOver = true;
    CHECK (eventually ([&] { return asked == 0; }));
    EQUAL (heard.load(), before);
}

TEST ("closing: takes less than 200 ms while others hold the lock")
{
    World world;
    activated (world);
    const auto lock = open ((world.file() + ".lock").c_str(), O_RDWR | O_CLOEXEC);
    CHECK (flock (lock, LOCK_EX) == 0);
    auto license = world.open();
    license->checkNow();
    sleepMilliseconds (30);
    const Stopwatch watch;
    license.reset();
    CHECK (watch.milliseconds() < 200);
    close (lock);
}

TEST ("closing: at any moment, two hundred times")
{
    World world;
    activated (world);

    for (auto i = 0; i < 200; ++i)
    {
        auto license = world.open();
        license->editorOpened();
        license->checkNow();

        if (i % 3 == 0)
            sleepMilliseconds (i % 5);

        license->editorClosed();
        license.reset();
    }

    CHECK (world.open()->isUnlocked());
}

TEST ("canceling: ends what goes on, and nothing is said of it")
{
    World world;
    std::atomic<bool> isAsked { false };
    world.server->instead = [&] (const HttpRequest&, HttpExchange& exchange)
    {
        isAsked = true;

        while (! exchange.mustStop())
            sleepMilliseconds (1);

        return true;
    };
    const auto license = world.open();
    license->activate ("AAAA-BBBB-CCCC-DDDD", "");
    CHECK (eventually ([&] { return isAsked.load(); }));
    CHECK (license->view().busy == Busy::activating);
    license->cancel();
    CHECK (settle (*license));
    EQUAL (noticeOf (*license), "canceled");
}

TEST ("store: a home that cannot be written unlocks for the session, and names the path")
{
    World world;
    writeText (world.folder.path + "/file", "x");
    world.home = world.folder.path + "/file/home";
    const auto license = activated (world);
    EQUAL (license->view().storeTrouble.path.find (world.folder.path + "/file"), 0u);
    CHECK (! license->view().storeTrouble.reason.empty());
    CHECK (! world.open()->isUnlocked());
}

TEST ("configuration: without keys nothing unlocks, and nothing is asked")
{
    World world;
    activated (world);
    auto config = world.config();
    config.keys.clear();
    License license (config, world.parts());
    EQUAL (stateOf (license), "misconfigured");
    CHECK (! license.isUnlocked());
    const auto asked = world.server->count();
    license.activate ("AAAA-BBBB-CCCC-DDDD", "");
    CHECK (settle (license));
    EQUAL (world.server->count(), asked);
}

TEST ("license: what was asked is known when it fails, and can be asked again")
{
    World world;
    const auto license = world.open();
    CHECK (! license->view().attempt.isThere());
    license->tryAgain();
    CHECK (settle (*license));
    EQUAL (world.server->count(), 0u);

    world.server->instead = [] (const HttpRequest&, HttpExchange& exchange)
    {
        exchange.setStatus (502);
        exchange.addHeader ("X-Request-Id", "<b>no id</b>");
        exchange.finish();
        return true;
    };
    license->activate ("AAAA-BBBB-CCCC-DDDD", "");
    CHECK (settle (*license));
    const auto failed = license->view().attempt;
    CHECK (failed.what == Busy::activating);
    EQUAL (failed.host, "licenses.example.com");
    EQUAL (failed.httpStatus, 502);
    EQUAL (failed.requestId, "");
    EQUAL (failed.at, world.clock->time.load());

    world.server->instead = nullptr;
    license->tryAgain();
    CHECK (settle (*license));
    CHECK (license->isUnlocked());
    CHECK (! license->view().attempt.isThere());

    // a refusal has one too, and to have read it is enough
    license->activate ("WRONG", "");
    CHECK (settle (*license));
    CHECK (license->view().attempt.isThere());
    license->forgetNotice();
    CHECK (! license->view().attempt.isThere());
}

TEST ("diagnostics: have what support needs, and neither the serial nor a name")
{
    World world;
    world.home = world.folder.path + "/nina";
    const auto license = activated (world);
    const auto text = license->diagnostics();
    CHECK (text.find ("\"state\":\"active\"") != std::string::npos);
    CHECK (text.find ("product-1.lic") != std::string::npos);

    for (const auto* secret : { "AAAA", "nina", "5f2d1c0b9a8e47d6", "tnr_plg_0" })
        CHECK (text.find (secret) == std::string::npos);

    CHECK (text.find (world.machineId()) == std::string::npos);
}
