// SPDX-License-Identifier: ISC
// The plugin's license without a plugin, for you and for `tonerow license doctor --build`. Do not ship it.
//
//   license-check [OPTION…] COMMAND     each command prints one line of JSON
//
//   about                     what is built in
//   status                    what is stored on this computer; asks nobody
//   activate SERIAL [EMAIL]   a serial
//   trial                     the product's trial
//   check                     the daily question, now
//   release                   gives the seat back
//   machine-file              for a computer without internet
//   read FILE                 a license file
//
//   --folder FOLDER           keeps the license there, not where the plugin keeps it
//   --server ADDRESS          asks another server, such as one that lies
//   --clock SECONDS           as if the computer's clock were that much ahead
//   --machine ID              as if this were another computer
//   --product ID              as if this were another product
//   --stop MILLISECONDS       closes it after so long, whatever it does
#include "../source/Settings.h"

#include <tonerow/json.h>
#include <tonerow/system.h>

#if HAS_CURL
    #include "CurlHttp.h"
#endif

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

namespace
{

#define TEXT_OF_(name) #name
#define TEXT_OF(name) TEXT_OF_ (name)

class ClockAhead final : public tonerow::Clock
{
public:
    ClockAhead (std::shared_ptr<const tonerow::Clock> c, tonerow::Seconds s) : clock (std::move (c)), seconds (s) {}

    tonerow::Seconds now() const noexcept override { return clock->now() + seconds; }

private:
    const std::shared_ptr<const tonerow::Clock> clock;
    const tonerow::Seconds seconds;
};

struct Line
{
    std::vector<std::string> words;
    long long stopAfter = -1;
    bool isUnderstood = true;
};

Line read (int count, char** words, tonerow::Config& config, tonerow::Parts& parts)
{
    Line line;

    for (auto i = 1; i < count; ++i)
    {
        const std::string word = words[i];

        if (word.rfind ("--", 0) != 0)
        {
            line.words.push_back (word);
            continue;
        }

        if (++i == count)
        {
            line.isUnderstood = false;
            break;
        }

        const std::string value = words[i];

        if (word == "--folder")
            parts.places = { value, {}, {} };
        else if (word == "--server")
            config.server = value;
        else if (word == "--clock")
            parts.clock = std::make_shared<ClockAhead> (parts.clock, std::strtoll (value.c_str(), nullptr, 10));
        else if (word == "--machine")
            parts.systemIds = { value };
        else if (word == "--product")
            config.productId = value;
        else if (word == "--stop")
            line.stopAfter = std::strtoll (value.c_str(), nullptr, 10);
        else
            line.isUnderstood = false;
    }

    line.isUnderstood = line.isUnderstood && ! line.words.empty();
    return line;
}

/** What does not end within this time hangs. */
void wait (const tonerow::License& license, long long stopAfter)
{
    const auto begun = tonerow::steadyMilliseconds();
    const auto most = stopAfter >= 0 ? stopAfter : 40000;

    while (license.view().busy != tonerow::Busy::no && tonerow::steadyMilliseconds() - begun < most)
        tonerow::sleepMilliseconds (5);
}

std::string about (const tonerow::Config& config, const tonerow::Parts& parts)
{
    std::string keys;

    for (const auto& each : config.keys)
    {
        tonerow::JsonWriter key;
        keys += (keys.empty() ? "" : ",") + key.text ("kid", each.kid).text ("x", each.x).finish();
    }

    tonerow::JsonWriter writer;
    writer.text ("server", config.server)
        .text ("plugin_key", config.pluginKey)
        .text ("product_id", config.productId)
        .text ("product_name", config.productName)
        .text ("developer_id", config.developerId)
        .text ("developer", config.developer)
        .text ("version", config.version)
        .source ("keys", "[" + keys + "]")
        .text ("namespace", TEXT_OF (TONEROW_INLINE_NAMESPACE))
        .text ("folder", parts.places.user)
        .text ("folder_trouble", parts.places.trouble)
        .integer ("clock", parts.clock->now())
        .integer ("machine_ids", static_cast<std::int64_t> (parts.systemIds.size()))
        .integer ("signatures", parts.verifier != nullptr ? 1 : 0)
        .integer ("network", parts.http != nullptr ? 1 : 0);
    return writer.finish();
}

std::string shown (const tonerow::License& license)
{
    const auto view = license.view();
    tonerow::JsonWriter writer;
    writer.text ("state", tonerow::nameOf (view.state))
        .text ("notice", tonerow::nameOf (view.notice))
        .text ("status", view.status)
        .text ("message", view.message)
        .text ("machine_id", view.machineId)
        .integer ("unlocked", license.isUnlocked() ? 1 : 0)
        .integer ("finishing", view.isFinishing ? 1 : 0)
        .integer ("days", view.daysLeft)
        .text ("trouble", view.storeTrouble.reason)
        .text ("trouble_path", view.storeTrouble.path);
    return writer.finish();
}

/** False when there is no such command. */
bool run (tonerow::License& license, const std::vector<std::string>& words)
{
    const auto& verb = words.front();
    const auto wordAt = [&words] (std::size_t at) { return at < words.size() ? words[at] : std::string(); };

    if (verb == "activate")
        license.activate (wordAt (1), wordAt (2));
    else if (verb == "trial")
        license.startTrial();
    else if (verb == "check")
        license.checkNow();
    else if (verb == "release")
        license.release();
    else if (verb == "read")
    {
        std::ifstream file (wordAt (1), std::ios::binary);
        license.readLicenseFile (std::string (std::istreambuf_iterator<char> (file), {}));
    }
    else
        return verb == "status";

    return true;
}

} // namespace

int main (int count, char** words)
{
    auto config = licenseSettings();
    auto parts = tonerow::Parts::ofThisSystem();
#if HAS_CURL
    parts.http = std::make_shared<CurlHttp>();
#endif
    const auto line = read (count, words, config, parts);

    if (line.isUnderstood && line.words.front() == "about")
    {
        std::cout << about (config, parts) << std::endl;
        return 0;
    }

    const auto begun = tonerow::steadyMilliseconds();
    auto license = std::make_unique<tonerow::License> (config, parts);
    // before anything else, as the first block of an offline render
    const auto atOnce = license->isUnlocked();
    const auto opened = tonerow::steadyMilliseconds();

    if (line.isUnderstood && line.words.front() == "machine-file")
    {
        std::cout << license->machineFile() << std::endl;
        return 0;
    }

    if (! line.isUnderstood || ! run (*license, line.words))
    {
        std::cerr << "usage: license-check [--folder FOLDER] [--server ADDRESS] [--clock SECONDS] [--machine ID]\n"
                     "                     [--product ID] [--stop MILLISECONDS]\n"
                     "                     about | status | activate SERIAL [EMAIL] | trial | check | release |\n"
                     "                     machine-file | read FILE\n";
        return 64;
    }

    wait (*license, line.stopAfter);
    const auto view = shown (*license);
    const auto closing = tonerow::steadyMilliseconds();
    license = nullptr;
    tonerow::JsonWriter writer;
    writer.source ("license", view)
        .integer ("at_once", atOnce ? 1 : 0)
        .integer ("open_ms", opened - begun)
        .integer ("close_ms", tonerow::steadyMilliseconds() - closing);
    std::cout << writer.finish() << std::endl;
    return 0;
}
