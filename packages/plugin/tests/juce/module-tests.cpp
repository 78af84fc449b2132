// SPDX-License-Identifier: ISC
// The JUCE module without a display.
#include <tonerow_juce/tonerow_juce.h>

#include "check.h"
#include "support.h"

#include <tonerow/gate.h>
#include <tonerow/json.h>

#include <array>

using namespace support;

namespace
{

// on an audio thread nobody may ask for memory
thread_local bool isAudio = false;
thread_local int allocations = 0;

} // namespace

// sanitizers have their own
#ifndef TONEROW_IS_SANITIZED
void* operator new (std::size_t size)
{
    allocations += isAudio ? 1 : 0;

    if (auto* memory = std::malloc (size))
        return memory;

    std::abort();
}

void operator delete (void* memory) noexcept
{
    allocations += isAudio ? 1 : 0;
    std::free (memory);
}

void operator delete (void* memory, std::size_t) noexcept { ::operator delete (memory); }
#endif

TEST ("module: what the audio thread calls allocates nothing, while the license is lost and found")
{
    World world;
    world.server->loss = "bypass";
    PluginLicense license (world.config(), world.parts());
    license.activate (juce::String (world.server->serial), "nina@example.com");
    CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    Gate gate;
    gate.prepare (48000.0, 64, 1, license.isUnlocked(), license.loss());
    std::array<float, 64> samples {};
    float* channels[] = { samples.data() };
    const auto render = [&]
    {
        isAudio = true;

        for (auto i = 0; i < 100; ++i)
        {
            gate.keep (channels, 1, 64, license.isUnlocked(), license.loss());
            license.processed (64, 48000.0);
            gate.process (channels, 1, 64);
        }

        isAudio = false;
    };
    render();
    world.server->status = "revoked";
    license.checkNow();
    render(); // while it is asked
    CHECK (eventually ([&] { return ! license.isUnlocked(); }));
    render();
    EQUAL (allocations, 0);

#ifndef TONEROW_IS_SANITIZED
    // one that would have been counted
    isAudio = true;
    delete new float (0.0f);
    isAudio = false;
    CHECK (allocations > 0);
#endif
}

TEST ("module: a render without a message loop is unlocked at once")
{
    World world;
    {
        const juce::ScopedJuceInitialiser_GUI juceIsThere;
        PluginLicense license (world.config(), world.parts());
        license.activate (juce::String (world.server->serial), "nina@example.com");
        CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    }
    CHECK (juce::MessageManager::getInstanceWithoutCreating() == nullptr);
    PluginLicense license (world.config(), world.parts());
    license.prepared();
    CHECK (license.isUnlocked());
}

TEST ("module: tells its listeners on the message thread, and never after they are gone")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());

    struct Counter final : PluginLicense::Listener
    {
        void licenseChanged (PluginLicense& changed) override
        {
            CHECK (juce::MessageManager::getInstance()->isThisTheMessageThread());
            ++count;
            isUnlocked = changed.isUnlocked();
        }

        int count = 0;
        bool isUnlocked = false;
    };

    Counter counter;
    license.addListener (&counter);
    license.activate (juce::String (world.server->serial), "nina@example.com");

    for (auto i = 0; i < 200 && ! counter.isUnlocked; ++i)
        juce::MessageManager::getInstance()->runDispatchLoopUntil (20);

    CHECK (counter.isUnlocked);
    license.removeListener (&counter);
    const auto before = counter.count;
    license.checkNow();
    CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    juce::MessageManager::getInstance()->runDispatchLoopUntil (200);
    EQUAL (counter.count, before);
}

TEST ("module: five seconds of processing begin the daily check, by the timer")
{
    const juce::ScopedJuceInitialiser_GUI juceIsThere;
    World world;
    PluginLicense license (world.config(), world.parts());
    license.activate (juce::String (world.server->serial), "nina@example.com");
    CHECK (eventually ([&] { return license.view().busy == Busy::no; }));
    world.clock->time += 2 * day;
    PluginLicense next (world.config(), world.parts());
    next.prepared();
    const auto asked = world.server->count();
    juce::MessageManager::getInstance()->runDispatchLoopUntil (1200);
    EQUAL (world.server->count(), asked);
    next.processed (6 * 48000, 48000.0);

    for (auto i = 0; i < 200 && world.server->count() == asked; ++i)
        juce::MessageManager::getInstance()->runDispatchLoopUntil (20);

    EQUAL (world.server->paths().back(), "validate");
}

TEST ("module: a license file is read from its file, and nothing large is")
{
    World world;
    PluginLicense license (world.config(), world.parts());
    Claims claims;
    claims.machineId = world.machineId();
    claims.issuedAt = world.clock->time;
    claims.expiresAt = claims.issuedAt + 90 * day;
    const auto path = world.folder.path + "/license.txt";
    CHECK (license.readLicenseFile (juce::File (path)) == Notice::wrongFile);
    writeText (path, std::string (300 * 1024, 'x'));
    CHECK (license.readLicenseFile (juce::File (path)) == Notice::wrongFile);
    writeText (path, makeLicenseFile (makeToken (world.server->signer, claims)));
    CHECK (license.readLicenseFile (juce::File (path)) == Notice::none);
    CHECK (license.isUnlocked());
    CHECK (license.machineFile().contains ("Röhre 2"));
}

TEST ("module: an unlock for good is taken from its file, and every forgery of one is refused")
{
    const auto all = JsonObject::parse (readText (std::string (TONEROW_VECTORS) + "/license-tokens.json")).value();
    auto accepted = 0, refused = 0;

    for (const auto& each : objectsIn (all.find ("cases")->source))
    {
        if (! each.isTrue ("is_unlock"))
            continue;

        const World world;
        auto config = world.config();
        config.productId = all.text ("product_id");
        config.keys.clear();

        for (const auto& key : objectsIn (JsonObject::parse (all.find ("jwks")->source)->find ("keys")->source))
            config.keys.push_back ({ key.text ("kid"), key.text ("x") });

        PluginLicense license (config, world.parts());
        const auto path = world.folder.path + "/unlock.json";
        writeText (path, JsonWriter().text ("token", each.text ("token")).finish());
        license.readLicenseFile (juce::File (path));
        const auto isGood = JsonObject::parse (each.find ("expected")->source)->isTrue ("valid");
        const auto name = each.text ("name") + ": ";
        EQUAL (name + nameOf (license.view().state), name + (isGood ? "for_good" : "unlicensed"));
        EQUAL (license.isUnlocked(), isGood);
        ++(isGood ? accepted : refused);
    }

    CHECK (accepted > 3 && refused > 6);
}

TEST ("module: starts no program to know its computer, whatever is in the path")
{
    const World world;
    const auto config = world.config();
    const auto before = PluginLicense (config).machineFile();
    const ForgedPrograms programs;
    EQUAL (PluginLicense (config).machineFile().toStdString(), before.toStdString());
    CHECK (! programs.wereStarted());
}

TEST ("module: what the older classes stored is found")
{
    const World world;
    const auto* before = std::getenv ("HOME");
    const std::string kept = before != nullptr ? before : "";
    setenv ("HOME", world.folder.path.c_str(), 1);
    writeText (world.folder.path + "/Plugin/Plugin.license",
               "<?xml version=\"1.0\"?><PROPERTIES><VALUE name=\"license_key\" val=\"AAAA\"/>"
               "<VALUE name=\"token\" val=\"t\"/><VALUE name=\"lease\" val=\"l\"/></PROPERTIES>");
    const auto older = PluginLicense::olderLicense ("Plugin");
    EQUAL (older.serial + older.token + older.lease, "AAAAtl");
    EQUAL (PluginLicense::olderLicense ("Other").serial, "");
    writeText (world.folder.path + "/Plugin/Plugin.license", "no XML");
    EQUAL (PluginLicense::olderLicense ("Plugin").serial, "");
    setenv ("HOME", kept.c_str(), 1);
}
