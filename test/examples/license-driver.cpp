// A plugin without a window: opens with what stands in its arguments (url, plugin key, product, developer, machine, folder),
// does what its standard input says, and answers each line with its state once nothing goes on any more.
#include "TonerowLicense.h"

#include <iostream>
#include <sstream>

int main (int, char** arguments)
{
    using juce::Host;
    tonerow::Settings settings;
    settings.serverUrl = arguments[1];
    settings.pluginKey = arguments[2];
    settings.productId = arguments[3];
    settings.developerId = arguments[4];
    settings.productName = "Plugin";
    settings.version = "1.0.0";
    Host::machine = arguments[5];
    Host::folder = arguments[6];

    std::unique_ptr<tonerow::License> license;

    for (std::string line; std::getline (std::cin, line);)
    {
        std::istringstream words (line);
        std::string verb, first, second;
        words >> verb >> first >> second;

        if (verb == "clock")      { Host::clock = std::stoll (first); }
        if (verb == "network")    { Host::online = first == "on"; }
        if (verb == "pin")        { settings.pinnedKeys.push_back ({ first, second }); }
        if (verb == "open")       { license = std::make_unique<tonerow::License> (settings); }
        if (verb == "close")      { license.reset(); }
        if (verb == "activate")   { license->activate (first.c_str(), second.c_str()); }
        if (verb == "validate")   { license->validate(); }
        if (verb == "refresh")    { license->refresh(); }
        if (verb == "deactivate") { license->deactivate(); }

        while (license != nullptr && license->getState().busy)
            std::this_thread::sleep_for (std::chrono::milliseconds (2));

        if (license == nullptr)
        {
            std::cout << "closed\n";
            continue;
        }

        const auto state = license->getState();
        std::cout << (license->isUnlocked() && state.unlocked ? "unlocked" : "locked") << '\t' << Host::requests << '\t'
                  << state.checkBefore.toMilliseconds() << '\t' << state.message.toStdString() << std::endl;
    }
}
