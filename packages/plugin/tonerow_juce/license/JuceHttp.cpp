// SPDX-License-Identifier: ISC
TONEROW_BEGIN

void JuceHttp::send (const HttpRequest& request, HttpExchange& exchange)
{
    const auto isPost = request.method == "POST";
    juce::URL url (juce::String::fromUTF8 (request.url.c_str()));

    // JUCE posts whatever has a body
    if (isPost)
        url = url.withPOSTData (juce::MemoryBlock (request.body.data(), request.body.size()));

    juce::String headers;

    for (const auto& each : request.headers)
        headers << juce::String::fromUTF8 (each.name.c_str()) << ": " << juce::String::fromUTF8 (each.value.c_str())
                << "\r\n";

    constexpr auto longestConnection = 10000;
    juce::WebInputStream stream (url, isPost);
    stream.withExtraHeaders (headers)
        .withConnectionTimeout (juce::jmin (longestConnection, exchange.millisecondsLeft()))
        .withNumRedirectsToFollow (0);
    {
        const juce::ScopedLock hold (lock);

        if (exchange.mustStop())
            return;

        running = &stream;
    }

    if (! exchange.mustStop() && stream.connect (nullptr))
    {
        exchange.setStatus (stream.getStatusCode());
        const auto sent = stream.getResponseHeaders();

        for (auto i = 0; i < sent.size(); ++i)
            exchange.addHeader (sent.getAllKeys()[i].toStdString(), sent.getAllValues()[i].toStdString());

        // JUCE's own sockets take a connection that breaks for the end; what is decompressed has another size
        const auto isPacked = sent.containsKey ("Content-Encoding");
        const auto announced = isPacked ? juce::int64 (-1) : stream.getTotalLength();
        juce::int64 received = 0;
        char bytes[4096];
        auto isWanted = true;

        while (isWanted && ! stream.isExhausted())
        {
            const auto size = stream.read (bytes, sizeof (bytes));

            if (size <= 0)
                break;

            received += size;
            isWanted = exchange.addBody (bytes, static_cast<std::size_t> (size));
        }

        if (isWanted && received >= announced && ! stream.isError() && ! exchange.mustStop())
            exchange.finish();
    }

    const juce::ScopedLock hold (lock);
    running = nullptr;
}

void JuceHttp::cancel() noexcept
{
    const juce::ScopedLock hold (lock);

    if (running != nullptr)
        running->cancel();
}

bool JuceHttp::hasHttps() noexcept
{
#if JUCE_LINUX || JUCE_BSD
    return JUCE_USE_CURL != 0;
#else
    return true;
#endif
}

TONEROW_END
