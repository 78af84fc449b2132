// SPDX-License-Identifier: ISC
// The JUCE module without a display.
#include <tonerow_juce/tonerow_juce.h>

#include "check.h"
#include "support.h"

#include <tonerow/json.h>

using namespace support;

namespace
{

/** A channel of a sine at full scale. */
std::vector<float> sine (std::size_t size)
{
    std::vector<float> samples (size);

    for (std::size_t i = 0; i < size; ++i)
        samples[i] = std::sin (static_cast<float> (i) * 0.05f);

    return samples;
}

/** What a plugin with a gate makes of it in blocks of 64, locked or unlocked from a sample on. */
std::vector<float> gated (Gate& gate, std::vector<float> samples, bool isUnlocked, std::size_t changeAt)
{
    for (std::size_t at = 0; at < samples.size(); at += 64)
    {
        float* channels[] = { samples.data() + at };
        gate.process (channels,
                      1,
                      static_cast<int> (std::min<std::size_t> (64, samples.size() - at)),
                      isUnlocked == (at < changeAt));
    }

    return samples;
}

float greatestStep (const std::vector<float>& samples)
{
    auto greatest = 0.0f;

    for (std::size_t i = 1; i < samples.size(); ++i)
        greatest = std::max (greatest, std::abs (samples[i] - samples[i - 1]));

    return greatest;
}

} // namespace

TEST ("gate: an unlocked plugin is the same to the last bit, from its first sample on")
{
    const auto input = sine (48000);
    Gate gate;
    gate.prepare (48000.0, true);
    CHECK (gated (gate, input, true, input.size()) == input);
}

TEST ("gate: a locked plugin is silent from its first sample on")
{
    Gate gate;
    gate.prepare (48000.0, false);

    for (const auto sample : gated (gate, sine (4800), false, 4800))
        CHECK (sample == 0.0f);
}

TEST ("gate: fades without a click, both ways, and ends where it should")
{
    const auto input = sine (9600);

    for (const auto isUnlocked : { true, false })
    {
        Gate gate;
        gate.prepare (48000.0, isUnlocked);
        const auto output = gated (gate, input, isUnlocked, 4800);
        // a sine of this pitch moves by 0.05 from sample to sample
        CHECK (greatestStep (output) < 0.06f);
        CHECK (output.back() == (isUnlocked ? 0.0f : input.back()));
    }
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
