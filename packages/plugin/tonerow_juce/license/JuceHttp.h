// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** The network by JUCE: WinINet with the system's proxy, NSURLSession, or libcurl. Without libcurl, JUCE on Linux has
   no HTTPS. */
class JuceHttp final : public Http
{
public:
    void send (const HttpRequest&, HttpExchange&) override;
    void cancel() noexcept override;

    /** Whether this build can reach a server by HTTPS at all. */
    static bool hasHttps() noexcept;

private:
    juce::CriticalSection lock; // of what follows
    juce::WebInputStream* running = nullptr;
};

TONEROW_END
