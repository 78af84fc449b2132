// SPDX-License-Identifier: ISC
// A plugin of `tonerow plugin new --hise --bridge` without HISE, for tests: its node, driven by the standard input.
// Each line is answered by one, which is JSON:
//
//   ask [TEXT, …]   what the script sends by its cable
//   play SECONDS    so much sound: the first sample, and the loudest
//   connect         HISE's cables once more
//   wait            until something is told, or two seconds
#include TONEROW_NODE

#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>

namespace
{

class Driver
{
public:
    Driver()
    {
        tells.registerDataCallback ([this] (const juce::var& value) { told.add (value); });
        connect();
    }

    void connect()
    {
        for (const auto add : { false, true })
            for (auto* each : { &askCable, &tellCable })
                node->connect (add, *each);
    }

    juce::String run (const juce::String& verb, const juce::String& rest)
    {
        auto first = 0.0f, loudest = 0.0f;

        if (verb == "ask")
            asks.sendData (juce::JSON::parse (rest));
        else if (verb == "connect")
            connect();
        else if (verb == "wait")
            wait();
        else if (verb == "play")
        {
            node->prepare (48000.0, 480);

            for (auto block = 0; block < rest.getIntValue() * 100; ++block)
            {
                float left[480], right[480];
                float* channels[] = { left, right };
                std::fill (std::begin (left), std::end (left), 1.0f);
                std::fill (std::begin (right), std::end (right), 1.0f);
                node->process (channels, 480);
                first = block == 0 ? left[0] : first;

                for (const auto each : left)
                    loudest = juce::jmax (loudest, std::abs (each));
            }
        }

        auto* answer = new juce::DynamicObject();
        answer->setProperty ("told", told);
        answer->setProperty ("first", first);
        answer->setProperty ("loudest", loudest);
        const juce::var object (answer);
        told.clear();
        return juce::JSON::toString (object, true);
    }

private:
    void wait()
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds (2);

        while (told.isEmpty() && std::chrono::steady_clock::now() < end)
        {
            asks.sendData (juce::Array<juce::var> { "tick" });
            std::this_thread::sleep_for (std::chrono::milliseconds (10));
        }
    }

    scriptnode::runtime_target::Cable askCable { "TonerowAsk" }, tellCable { "TonerowTell" };
    std::unique_ptr<scriptnode::OpaqueNode> node = scriptnode::OpaqueNode::make<project::tonerow_gate<1>>();
    scriptnode::ScriptCable asks { askCable }, tells { tellCable };
    juce::Array<juce::var> told;
};

} // namespace

int main()
{
    Driver driver;
    std::string line;

    while (std::getline (std::cin, line))
    {
        const auto text = juce::String::fromUTF8 (line.data(), static_cast<int> (line.size()));
        const auto verb = text.upToFirstOccurrenceOf (" ", false, false);
        std::cout << driver.run (verb, text.fromFirstOccurrenceOf (" ", false, false)) << std::endl;
    }
}
