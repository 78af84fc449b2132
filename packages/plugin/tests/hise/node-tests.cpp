// SPDX-License-Identifier: ISC
// The node of a HISE plugin, in a stand-in for HISE.
#include "check.h"
#include "support.h"

#include <cstdlib>
#include <new>

namespace
{

support::World* world = nullptr;
// of the shared vectors, while a test reads those
std::vector<tonerow::PublicKey> vectorKeys;
std::string vectorProduct;

// of what the test in hand allocates on its audio thread
thread_local bool isAudio = false;
std::atomic<int> allocations { 0 };

tonerow::Parts partsOfTest() { return world->parts(); }

} // namespace

tonerow::Config configOfTest()
{
    auto config = world->config();

    if (! vectorKeys.empty())
    {
        config.keys = vectorKeys;
        config.productId = vectorProduct;
    }

    return config;
}

void* operator new (std::size_t size)
{
    allocations += isAudio ? 1 : 0;

    if (auto* memory = std::malloc (size))
        return memory;

    throw std::bad_alloc();
}

void operator delete (void* memory) noexcept
{
    allocations += isAudio ? 1 : 0;
    std::free (memory);
}

void operator delete (void* memory, std::size_t) noexcept { ::operator delete (memory); }

#define TONEROW_HISE_PARTS partsOfTest
#include TONEROW_NODE

using namespace support;

namespace
{

/** A running plugin: its node, its script and what is between them. */
struct Plugin
{
    Plugin()
    {
        tells.registerDataCallback (
            [this] (const juce::var& value)
            {
                told = JsonObject::parse (value.toString().toStdString()).value_or (JsonObject());
                ++count;
            });
        connect();
    }

    /** As HISE does after scripts were compiled. */
    void connect()
    {
        for (const auto add : { false, true })
            for (auto* each : { &askCable, &tellCable })
                node->connect (add, *each);
    }

    void ask (const juce::StringArray& words)
    {
        juce::Array<juce::var> list;

        for (const auto& each : words)
            list.add (each);

        asks.sendData (list);
    }

    /** What is told once nothing goes on any more. */
    const JsonObject& settled()
    {
        CHECK (eventually (
            [this]
            {
                ask ({ "tick" });
                return told.integer ("busy") == 0;
            }));
        return told;
    }

    /** The first and the last sample of a second of ones. */
    std::pair<float, float> play()
    {
        node->prepare (48000.0, 512);
        std::vector<float> left (512), right (512);
        std::pair<float, float> found { -1.0f, -1.0f };

        for (auto block = 0; block < 94; ++block)
        {
            std::fill (left.begin(), left.end(), 1.0f);
            right = left;
            float* channels[] = { left.data(), right.data() };
            isAudio = true;
            node->process (channels, 512);
            isAudio = false;
            CHECK (left == right);

            if (block == 0)
                found.first = left.front();

            found.second = left.back();
        }

        return found;
    }

    scriptnode::runtime_target::Cable askCable { "TonerowAsk" }, tellCable { "TonerowTell" };
    std::unique_ptr<scriptnode::OpaqueNode> node = scriptnode::OpaqueNode::make<project::tonerow_gate<1>>();
    scriptnode::ScriptCable asks { askCable }, tells { tellCable };
    JsonObject told;
    int count = 0;
};

struct InWorld
{
    InWorld() { world = &own; }

    ~InWorld() { world = nullptr; }

    World own;
};

std::size_t threads() { return filesIn ("/proc/self/task").size(); }

using Ends = std::pair<float, float>;

} // namespace

TEST ("hise: locked from the first sample on, and after it was activated unlocked from the first, without a network")
{
    const InWorld in;
    {
        Plugin plugin;
        CHECK ((plugin.play() == Ends { 0.0f, 0.0f }));
        EQUAL (plugin.told.text ("state"), "unlicensed");
        plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
        EQUAL (plugin.settled().text ("state"), "active");
        EQUAL (plugin.told.integer ("unlocked").value_or (-1), 1);
        // by which the script asks for the key of its expansions
        EQUAL (plugin.told.text ("machine_id"), in.own.server->seats.front());
    }
    in.own.server->isOnline = false;
    const auto asked = in.own.server->count();
    Plugin next;
    CHECK ((next.play() == Ends { 1.0f, 1.0f }));
    EQUAL (in.own.server->count(), asked);
}

TEST ("hise: frame by frame it lets through the same")
{
    const InWorld in;
    Plugin plugin;
    plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
    plugin.settled();
    plugin.node->prepare (48000.0, 1);
    scriptnode::span<1> mono { { 0.5f } };
    scriptnode::span<2> stereo { { 0.25f, -0.25f } };
    plugin.node->process (mono);
    plugin.node->process (stereo);
    plugin.node->handle ({});
    CHECK (mono.values[0] == 0.5f && stereo.values[0] == 0.25f && stereo.values[1] == -0.25f);
}

TEST ("hise: a session that loses its license goes on, and the next one is locked")
{
    const InWorld in;
    {
        Plugin plugin;
        plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
        plugin.settled();
        in.own.server->status = "revoked";
        plugin.ask ({ "check" });
        EQUAL (plugin.settled().text ("state"), "revoked");
        CHECK ((plugin.play() == Ends { 1.0f, 1.0f }));
    }
    Plugin next;
    CHECK ((next.play() == Ends { 0.0f, 0.0f }));
}

TEST ("hise: a product that mutes or bypasses fades at once")
{
    // what arrives at the node is the plugin's own sound: to pass that on would unlock it
    for (const std::string loss : { "mute", "bypass" })
    {
        const InWorld in;
        in.own.server->loss = loss;
        Plugin plugin;
        plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
        plugin.settled();
        CHECK ((plugin.play() == Ends { 1.0f, 1.0f }));
        in.own.server->status = "revoked";
        plugin.ask ({ "check" });
        plugin.settled();
        EQUAL (plugin.play().second, 0.0f);
    }
}

TEST ("hise: the audio thread allocates nothing, whatever the script asks meanwhile")
{
    const InWorld in;
    Plugin plugin;
    allocations = 0;
    plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
    plugin.play();
    plugin.settled();
    plugin.play();
    EQUAL (allocations.load(), 0);
}

TEST ("hise: what was asked last is not asked once more when HISE connects its cables again")
{
    const InWorld in;
    Plugin plugin;
    plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
    // without a tick, which would be the last thing that was sent
    CHECK (
        eventually ([] { return juce::SharedResourcePointer<project::tonerow_license>()->view().busy == Busy::no; }));
    const auto asked = in.own.server->count();
    EQUAL (asked, 1u);
    const auto told = plugin.count;
    plugin.connect();
    plugin.settled();
    EQUAL (in.own.server->count(), asked);
    // but the script learns how things are
    EQUAL (plugin.count, told + 1);
    EQUAL (plugin.told.text ("state"), "active");
}

TEST ("hise: what was asked has an outcome, also where nothing changes")
{
    const InWorld in;
    Plugin plugin;
    plugin.settled();
    const auto told = plugin.count;
    plugin.ask ({ "tick" });
    EQUAL (plugin.count, told);

    // a node that has nothing to check or to give back
    for (const auto* each : { "check", "release" })
    {
        const auto before = plugin.count;
        plugin.ask ({ each });
        plugin.ask ({ "tick" });
        CHECK (plugin.count > before);
        plugin.settled();
    }
}

TEST ("hise: what no script of ours sends is ignored")
{
    const InWorld in;
    Plugin plugin;
    const auto told = plugin.count;

    for (const auto& each : { juce::var ("release"),
                              juce::var (7),
                              juce::var (juce::Array<juce::var>()),
                              juce::var (juce::Array<juce::var> { "nonsense" }),
                              juce::var (juce::Array<juce::var> { 3, 4 }) })
        plugin.asks.sendData (each);

    EQUAL (plugin.count, told);
    EQUAL (in.own.server->count(), 0u);
    // without its texts it is a question that is answered, not one that breaks something
    plugin.ask ({ "activate" });
    EQUAL (plugin.settled().text ("notice"), "empty_serial");
}

TEST ("hise: a license file is given up with a proof, and nothing is stored before a machine file is asked for")
{
    const InWorld in;
    Plugin plugin;
    plugin.ask ({ "hello" });
    CHECK (plugin.told.text ("machine_file").find ("release_hash") == std::string::npos);
    CHECK (! exists (in.own.file()));
    plugin.ask ({ "machine" });
    Claims claims;
    claims.machineId = in.own.machineId();
    claims.issuedAt = in.own.clock->time;
    claims.expiresAt = claims.issuedAt + 90 * day;
    claims.releaseHash =
        JsonObject::parse (plugin.told.text ("machine_file")).value_or (JsonObject()).text ("release_hash");
    EQUAL (claims.releaseHash.size(), 64u);
    const juce::String file (makeLicenseFile (makeToken (in.own.server->signer, claims)));
    plugin.ask ({ "file", file });
    EQUAL (plugin.told.text ("state"), "leased");
    EQUAL (plugin.told.integer ("releasable").value_or (-1), 1);
    plugin.ask ({ "give_up" });
    EQUAL (plugin.told.integer ("unlocked").value_or (-1), 0);
    EQUAL (plugin.told.integer ("released").value_or (-1), 1);
    const auto proof = plugin.told.text ("release_file");
    EQUAL (sha256Hex (JsonObject::parse (proof).value_or (JsonObject()).text ("release")), claims.releaseHash);
    plugin.ask ({ "file", file });
    EQUAL (plugin.told.text ("notice"), "spent_file");
    EQUAL (plugin.told.text ("release_file"), "");
    plugin.ask ({ "give_up" });
    EQUAL (plugin.told.text ("release_file"), proof);
}

TEST ("hise: all instances share one license, and each script is told")
{
    const InWorld in;
    Plugin one, other;
    one.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
    one.settled();
    other.settled();
    EQUAL (other.told.text ("state"), "active");
    CHECK ((other.play() == Ends { 1.0f, 1.0f }));
    EQUAL (in.own.server->count(), 1u);
}

TEST ("hise: a destroyed instance leaves nothing, also while a request runs")
{
    const InWorld in;
    const auto before = threads();

    for (auto i = 0; i < 50; ++i)
    {
        auto plugin = std::make_unique<Plugin>();
        plugin->ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });

        if (i % 2 == 0)
            plugin->settled();

        plugin.reset();
        CHECK (eventually ([before] { return threads() == before; }));
    }
}

TEST ("hise: a license of the script goes on with its seat, and a copy of its file does not")
{
    InWorld in;
    Claims claims;
    claims.machineId = "L0123456789";
    claims.issuedAt = in.own.clock->time;
    claims.expiresAt = claims.issuedAt + 30 * day;
    const auto path = in.own.folder.path + "/license.json";
    const auto write = [&] (const char* id)
    {
        writeText (path,
                   JsonWriter()
                       .text ("license_key", in.own.server->serial)
                       .text ("instance_id", id)
                       .text ("token", makeToken (in.own.server->signer, claims))
                       .finish());
    };
    write ("L0123456789");
    const juce::File file (path);
    EQUAL (olderOfScript (file, "L9999999999").serial, "");
    EQUAL (olderOfScript (file, "").serial, "");
    EQUAL (olderOfScript (juce::File (path + ".none"), "L0123456789").serial, "");
    in.own.older = olderOfScript (file, "L0123456789");
    in.own.olderMachineIds = { "L0123456789" };
    in.own.server->seats = { "L0123456789" };
    Plugin plugin;
    CHECK ((plugin.play() == Ends { 1.0f, 1.0f }));
    plugin.ask ({ "check" });
    EQUAL (plugin.settled().text ("state"), "active");
    EQUAL (in.own.server->seats.size(), 1u);
    CHECK (in.own.server->seats.front() != "L0123456789");
}

TEST ("hise: an unlock for good is taken as a file, and every forgery of one is refused")
{
    const auto all = JsonObject::parse (readText (std::string (TONEROW_VECTORS) + "/license-tokens.json")).value();
    auto accepted = 0, refused = 0;

    for (const auto& each : objectsIn (all.find ("cases")->source))
    {
        if (! each.isTrue ("is_unlock"))
            continue;

        const InWorld in;
        vectorKeys.clear();

        for (const auto& key : objectsIn (JsonObject::parse (all.find ("jwks")->source)->find ("keys")->source))
            vectorKeys.push_back ({ key.text ("kid"), key.text ("x") });

        vectorProduct = all.text ("product_id");
        Plugin plugin;
        plugin.ask ({ "file", juce::String (JsonWriter().text ("token", each.text ("token")).finish()) });
        const auto isGood = JsonObject::parse (each.find ("expected")->source)->isTrue ("valid");
        const auto name = each.text ("name") + ": ";
        EQUAL (name + plugin.told.text ("state"), name + (isGood ? "for_good" : "unlicensed"));
        EQUAL (plugin.play().first, isGood ? 1.0f : 0.0f);
        ++(isGood ? accepted : refused);
        vectorKeys.clear();
    }

    CHECK (accepted > 3 && refused > 6);
}

TEST ("hise: a page is shown while its owner is asked in a browser, and what is confirmed there activates")
{
    const InWorld in;
    Plugin plugin;
    plugin.ask ({ "browser" });
    CHECK (eventually (
        [&]
        {
            plugin.ask ({ "tick" });
            return ! plugin.told.text ("page").empty();
        }));
    EQUAL (plugin.told.text ("page"), in.own.server->pageAddress);
    EQUAL (plugin.told.text ("page_code"), "BCDF-GHJK");
    const auto code = QrCode::of (in.own.server->pageAddress);
    const auto rows = juce::StringArray::fromTokens (plugin.told.text ("page_qr"), " ", {});
    EQUAL (rows.size(), code->size());
    EQUAL (rows[0].substring (0, 8), "11111110");
    EQUAL (rows[0].length(), code->size());
    EQUAL (plugin.told.integer ("busy").value_or (-1), 1);
    // given up, and begun once more
    plugin.ask ({ "cancel" });
    EQUAL (plugin.settled().text ("notice"), "canceled");
    EQUAL (plugin.told.text ("page"), "");
    in.own.server->answeredInBrowser = "yes";
    plugin.ask ({ "again" });
    plugin.ask ({ "browser" });
    EQUAL (plugin.settled().text ("state"), "active");
    EQUAL (plugin.told.text ("page"), "");
    EQUAL (plugin.told.integer ("most").value_or (-1), 2);
}

TEST ("hise: with a code from the owner's email another computer is released, and this one activated")
{
    const InWorld in;
    in.own.server->seats = { "LAAAAAAAAA", "LBBBBBBBBB" };
    Plugin plugin;
    plugin.ask ({ "activate", in.own.server->serial.c_str(), "nina@example.com" });
    EQUAL (plugin.settled().text ("status"), "seat_limit");
    CHECK (plugin.told.integer ("http").value_or (0) > 0);
    CHECK (! plugin.told.text ("host").empty() && ! plugin.told.text ("at").empty());
    // what support gets has neither serial nor names
    CHECK (plugin.told.text ("diagnostics").find ("seat_limit") != std::string::npos);
    CHECK (plugin.told.text ("diagnostics").find (in.own.server->serial) == std::string::npos);
    plugin.ask ({ "seats_code" });
    EQUAL (plugin.settled().integer ("code_sent").value_or (-1), 1);
    plugin.ask ({ "seats", "WRNG-CODE" });
    EQUAL (plugin.settled().text ("notice"), "refused");
    plugin.ask ({ "seats", in.own.server->emailedCode.c_str() });
    EQUAL (plugin.settled().integer ("seats_known").value_or (-1), 1);
    const auto seats = objectsIn (plugin.told.find ("seats")->source);
    EQUAL (seats.size(), 2u);
    CHECK (! seats.front().text ("name").empty() && seats.front().text ("day").size() == 10);
    plugin.ask ({ "seat_release", seats.front().text ("id").c_str() });
    EQUAL (plugin.settled().text ("state"), "active");
}

TEST ("hise: a newer version is told, and one that cannot be looked for is not spoken of")
{
    const InWorld in;
    Plugin plugin;
    in.own.server->isOnline = false;
    plugin.ask ({ "update" });
    EQUAL (plugin.settled().text ("notice"), "none");
    in.own.server->isOnline = true;
    in.own.server->newest = "2.0.0";
    plugin.ask ({ "update" });
    CHECK (eventually (
        [&]
        {
            plugin.ask ({ "tick" });
            return plugin.told.text ("update_version") == "2.0.0";
        }));
    EQUAL (plugin.told.text ("update_link"), in.own.server->updateLink);
    // what was refused is forgotten once it was read
    plugin.ask ({ "activate", "AAAA", "nina@example.com" });
    EQUAL (plugin.settled().text ("notice"), "refused");
    plugin.ask ({ "forget" });
    plugin.ask ({ "tick" });
    EQUAL (plugin.settled().text ("notice"), "none");
}

TEST ("hise: the cables are those that the script opens")
{
    EQUAL (juce::String ("TonerowAsk").hashCode(), project::tonerow_ask_hash);
    EQUAL (juce::String ("TonerowTell").hashCode(), project::tonerow_tell_hash);
}
