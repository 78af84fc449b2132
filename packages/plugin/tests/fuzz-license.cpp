// SPDX-License-Identifier: ISC
// A license that is given whatever a stranger may send: as what is stored, as a license file, as the server's answer.
// The first letter chooses which; a capital one checks signatures, a small one takes all of them.
#include "fuzz.h"

#include <tonerow/license.h>
#include <tonerow/machine.h>
#include <tonerow/sha256.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace tonerow;

namespace
{

const std::string systemId = "machine", secret = "x";

void demand (bool isSo)
{
    if (! isSo)
        std::abort();
}

class Believer final : public Verifier
{
public:
    bool verify (std::string_view, const Bytes&, const Bytes&) const override { return true; }
};

class FixedClock final : public Clock
{
public:
    Seconds now() const noexcept override { return 1000000; }
};

/** Answers everything alike, with a signature that is well-formed. */
class Stranger final : public Http
{
public:
    explicit Stranger (std::string_view text) : body (text) {}

    void send (const HttpRequest& request, HttpExchange& exchange) override
    {
        exchange.setStatus (200);
        exchange.addHeader ("X-Tonerow-Date", "1000000");
        exchange.addHeader ("X-Tonerow-Signature", "ed25519=" + std::string (86, 'A') + "==; kid=k");

        for (const auto& each : request.headers)
            if (each.name == "X-Tonerow-Nonce")
                exchange.addHeader (each.name, each.value);

        exchange.addBody (body.data(), body.size());
        exchange.finish();
    }

    void cancel() noexcept override {}

private:
    const std::string body;
};

Config config()
{
    Config config;
    config.server = "https://licenses.example.com";
    config.pluginKey = "tnr_plg_0";
    config.productId = "product";
    config.developerId = "developer";
    config.developer = "Ada";
    config.version = "1.0.0";
    config.keys = { { "k", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" } };
    return config;
}

/** In memory, where the system has such a place: nothing here is about the disk. It is removed when the program ends.
 */
const std::string& home()
{
    static const auto& path = *[]
    {
        const std::string memory = "/dev/shm";
        auto* name = new std::string (
            (std::filesystem::exists (memory) ? memory : std::filesystem::temp_directory_path().string())
            + "/tonerow-fuzz-XXXXXX");
        demand (mkdtemp (name->data()) != nullptr);
        std::atexit ([] { std::filesystem::remove_all (home()); });
        return name;
    }();
    return path;
}

std::string folder() { return home() + "/Tonerow/Ada"; }

void write (const std::string& text)
{
    std::filesystem::create_directories (folder());
    std::ofstream (folder() + "/product.lic", std::ios::binary | std::ios::trunc) << text;
}

/** As the store seals a record: the key is in every plugin. */
std::string sealed (const std::string& record)
{
    return record + "\n" + hmacSha256Hex ("tonerow seal 1\ndeveloper\nproduct", record) + "\n";
}

bool settled (const License& license)
{
    const auto view = license.view();
    return view.busy == Busy::no || view.page.isOpen();
}

void read (License& license)
{
    static_cast<void> (license.view());
    static_cast<void> (license.diagnostics());
    static_cast<void> (license.peekMachineFile());
}

void take (License& license, std::string_view text)
{
    if (license.readLicenseFile (text) != Notice::none)
        return;

    read (license);

    // what was released once is not taken again
    if (! license.releaseOffline().empty())
    {
        demand (! license.view().isReleasable);
        demand (license.readLicenseFile (text) != Notice::none);
    }
}

void ask (License& license, char what)
{
    switch (what)
    {
        case 'a':
            license.activate ("AAAA-BBBB-CCCC-DDDD", {});
            break;
        case 'b':
            license.activateInBrowser();
            break;
        case 'c':
            license.checkNow();
            break;
        case 'l':
            license.listSeats ("BCDF-GHJK");
            break;
        case 't':
            license.startTrial();
            break;
        default:
            license.lookForUpdate();
            break;
    }

    while (! settled (license))
        std::this_thread::sleep_for (std::chrono::microseconds (50));

    read (license);
}

std::string toBase64Url (const std::string& bytes)
{
    constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    std::uint32_t pending = 0;
    unsigned bits = 0;

    for (const auto each : bytes)
    {
        pending = (pending << 8) | static_cast<std::uint8_t> (each);

        for (bits += 8; bits >= 6; bits -= 6)
            text += alphabet[(pending >> (bits - 6)) & 63u];
    }

    if (bits > 0)
        text += alphabet[(pending << (6 - bits)) & 63u];

    return text;
}

void replaceAll (std::string& text, std::string_view what, const std::string& by)
{
    for (auto at = text.find (what); at != std::string::npos; at = text.find (what, at + by.size()))
        text.replace (at, what.size(), by);
}

/** The text up to a last line, whose claims are in its tokens: what is behind base64 is out of reach of mutations. */
std::string withTokens (std::string_view input)
{
    const auto end = input.rfind ('\n');

    if (end == std::string_view::npos)
        return std::string (input);

    std::string text (input.substr (0, end)), claims (input.substr (end + 1));
    replaceAll (claims, "MID", sha256Hex (machineIdsFor ("developer", { systemId }).front()));
    replaceAll (claims, "REL", sha256Hex (secret));
    const auto unlock = claims.find ("\"unlock\"") != std::string::npos;
    replaceAll (text,
                "TOKEN",
                toBase64Url (std::string ("{\"alg\":\"EdDSA\",\"kid\":\"k\",\"typ\":\"")
                             + (unlock ? "unlock+jwt" : "JWT") + "\"}")
                    + "." + toBase64Url (claims) + "." + std::string (86, 'A'));
    return text;
}

} // namespace

const int usualRounds = 1000;

void tryAll (std::string_view input)
{
    // tokens make it longer
    if (input.empty() || input.size() > 4096)
        return;

    const auto text = withTokens (input.substr (1));
    const auto isStrict = input[0] >= 'A' && input[0] <= 'Z';
    const auto what = isStrict ? static_cast<char> (input[0] - 'A' + 'a') : input[0];
    std::filesystem::remove_all (folder());
    Parts parts;
    parts.verifier = isStrict ? createVerifier() : std::make_shared<const Believer>();
    parts.clock = std::make_shared<const FixedClock>();
    parts.http = std::make_shared<Stranger> (text);
    parts.places.user = home();
    parts.systemIds = { systemId };

    if (what == 's')
        write (text);
    else if (what == 'v') // with its seal, which no cracker lacks
        write (sealed (text));
    else if (what == 'f')
        write (sealed (std::string ("{\"format\":1,\"release_secret\":\"") + secret + "\"}"));
    else if (what == 'c')
        write (sealed ("{\"format\":1,\"serial\":\"AAAA-BBBB-CCCC-DDDD\"}"));

    {
        License license (config(), parts);
        read (license);

        if (what == 's' || what == 'v')
            static_cast<void> (license.machineFile());
        else if (what == 'f')
            take (license, text);
        else
            ask (license, what);

        // nobody here has the developer's key
        if (isStrict)
            demand (! license.isUnlocked());
    }

    // what was stored is read again
    License license (config(), parts);
    read (license);

    if (isStrict)
        demand (! license.isUnlocked());
}

std::vector<std::string> seeds()
{
    const std::string claims = "\n{\"sub\":\"s\",\"aud\":\"product\",\"mid\":\"MID\",\"iat\":1,\"exp\":2000000",
                      good = claims + "}", released = claims + ",\"rel\":\"REL\",\"loss\":\"mute\",\"lic\":1500000}",
                      trial = claims + ",\"trial\":true}",
                      forGood = "\n{\"sub\":\"u\",\"aud\":\"product\",\"iat\":1,\"unlock\":true}";
    const std::string answer = "{\"ok\":true,\"status\":\"active\",\"validation_token\":\"TOKEN\",\"license_key\":"
                               "\"AAAA-BBBB-CCCC-DDDD\",\"max_activations\":2,\"remaining\":1}";
    const std::string file = "-----BEGIN TONEROW LICENSE-----\nProduct: A\n\nTOKEN\n-----END TONEROW LICENSE-----\n";
    const std::string record =
        "{\"format\":1,\"serial\":\"AAAA-BBBB-CCCC-DDDD\",\"lease\":\"TOKEN\",\"seen\":999999,"
        "\"release_secret\":\"x\",\"released\":\"a b\",\"next_check\":5,\"clock\":1,\"server\":1}";
    return {
        "a" + answer + good,
        "A" + answer + good,
        "c" + answer + good,
        "C" + answer + good,
        "t" + answer + trial,
        "c{\"ok\":false,\"status\":\"revoked\",\"error\":\"It was revoked.\"}",
        "b{\"ok\":true,\"device_code\":\"d\",\"user_code\":\"BCDF\",\"verification_uri\":\"https://a.example/device\","
        "\"expires_in\":600,\"interval\":1}",
        "l{\"ok\":true,\"seats\":[{\"id\":\"1\",\"name\":\"Studio\",\"last_seen_at\":\"2026-03-09T08:00:00Z\","
        "\"is_this\":true},{\"id\":\"2\",\"os\":\"Linux\"}]}",
        "u{\"ok\":true,\"version\":\"1.1\",\"notes\":\"Less noise\",\"link\":\"https://a.example/\",\"signature\":"
        "\"TOKEN\"}\n{\"aud\":\"product\",\"ver\":\"1.1\",\"file\":\"a.zip\",\"size\":3}",
        "f" + file + released,
        "f" + file + forGood,
        "F" + file + released,
        "F{\"token\":\"TOKEN\"}" + forGood,
        "v" + record + released,
        "V" + record + released,
        "s" + record + released,
    };
}
