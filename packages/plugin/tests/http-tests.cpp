// SPDX-License-Identifier: ISC
#include "check.h"
#include "support.h"

using namespace support;

namespace
{

/** A transport that does what a test wants. */
class TestHttp final : public Http
{
public:
    explicit TestHttp (std::function<void (HttpExchange&)> f) : function (std::move (f)) {}

    void send (const HttpRequest&, HttpExchange& exchange) override { function (exchange); }

    void cancel() noexcept override { isCanceled = true; }

    std::atomic<bool> isCanceled { false };

private:
    const std::function<void (HttpExchange&)> function;
};

HttpResponse sendBy (std::function<void (HttpExchange&)> function, const HttpLimits& limits = {})
{
    HttpCaller caller (std::make_shared<TestHttp> (std::move (function)), limits);
    return caller.send ({ "POST", "https://licenses.example.com/", "", {} });
}

bool isFailure (const HttpResponse& response, HttpFailure failure) { return response.failure == failure; }

class Stopwatch
{
public:
    std::int64_t milliseconds() const { return steadyMilliseconds() - begin; }

private:
    const std::int64_t begin = steadyMilliseconds();
};

} // namespace

TEST ("http: an answer comes with its headers, in any case")
{
    const auto response = sendBy (
        [] (HttpExchange& exchange)
        {
            exchange.setStatus (200);
            exchange.addHeader ("x-TONEROW-date", "12");
            exchange.addBody ("ab", 2);
            exchange.addBody ("c", 1);
            exchange.finish();
        });
    CHECK (isFailure (response, HttpFailure::none));
    EQUAL (response.status, 200);
    EQUAL (response.body, "abc");
    EQUAL (response.header ("X-Tonerow-Date"), "12");
    EQUAL (response.header ("X-Tonerow-Dat"), "");
}

TEST ("http: what is cut off is no answer")
{
    CHECK (isFailure (sendBy ([] (HttpExchange& exchange) { exchange.addBody ("{\"ok\":true", 10); }),
                      HttpFailure::unreachable));
    CHECK (isFailure (sendBy ([] (HttpExchange&) {}), HttpFailure::unreachable));
    HttpCaller none (nullptr, {});
    CHECK (isFailure (none.send ({}), HttpFailure::unreachable));
}

TEST ("http: a transport whose own clock ends a request a little early was too slow, and is not without a network")
{
    HttpLimits limits;
    limits.milliseconds = 100;
    const auto endsEarly = [] (HttpExchange& exchange)
    {
        while (exchange.millisecondsLeft() > 10)
            sleepMilliseconds (1);
    };
    CHECK (isFailure (sendBy (endsEarly, limits), HttpFailure::tooSlow));
}

TEST ("http: more than 1 MiB is not kept")
{
    std::size_t taken = 0;
    const auto response = sendBy (
        [&] (HttpExchange& exchange)
        {
            const std::string piece (100000, 'x');

            // 590 MB, as a server once sent them
            for (auto i = 0; i < 5900 && exchange.addBody (piece.data(), piece.size()); ++i)
                taken += piece.size();

            exchange.finish();
        });
    CHECK (isFailure (response, HttpFailure::tooLarge));
    CHECK (taken <= 1024 * 1024);
}

TEST ("http: endless headers are not kept")
{
    const auto response = sendBy (
        [] (HttpExchange& exchange)
        {
            for (auto i = 0; i < 10000; ++i)
                exchange.addHeader ("x-header", std::string (1000, 'x'));

            exchange.finish();
        });
    CHECK (response.headers.size() < 100);
}

TEST ("http: a drip ends with the time limit of the whole answer")
{
    const Stopwatch watch;
    HttpLimits limits;
    limits.milliseconds = 200;
    const auto response = sendBy (
        [] (HttpExchange& exchange)
        {
            while (exchange.addBody ("x", 1))
                sleepMilliseconds (5);
        },
        limits);
    CHECK (isFailure (response, HttpFailure::tooSlow));
    CHECK (watch.milliseconds() >= 200 && watch.milliseconds() < 2000);
}

TEST ("http: a transport that hangs is left behind, and so is the next request")
{
    HttpLimits limits;
    limits.milliseconds = 100;
    std::atomic<bool> isOver { false };
    std::atomic<int> ended { 0 };
    const auto http = std::make_shared<TestHttp> (
        [&] (HttpExchange&)
        {
            // a name server that does not answer: nothing can interrupt this
            while (! isOver)
                sleepMilliseconds (1);

            ++ended;
        });
    HttpCaller caller (http, limits);
    const Stopwatch watch;
    CHECK (isFailure (caller.send ({}), HttpFailure::tooSlow));
    CHECK (http->isCanceled);
    CHECK (watch.milliseconds() < 2000);

    const Stopwatch second;
    CHECK (isFailure (caller.send ({}), HttpFailure::unreachable));
    CHECK (second.milliseconds() < 90);
    isOver = true;
    CHECK (eventually ([&] { return ended == 1; }));
    CHECK (eventually ([&] { return caller.send ({}).failure == HttpFailure::unreachable && ended > 1; }));
}

TEST ("http: canceling ends the running request and not the next; stopping ends all")
{
    std::atomic<int> running { 0 };
    const auto http = std::make_shared<TestHttp> (
        [&] (HttpExchange& exchange)
        {
            ++running;

            while (! exchange.mustStop() && running == 1)
                sleepMilliseconds (1);

            exchange.finish();
        });
    HttpCaller caller (http, {});
    Thread thread;
    CHECK (thread.start (
        [] (void* context)
        {
            auto& pair = *static_cast<std::pair<HttpCaller*, std::atomic<int>*>*> (context);
            eventually ([&] { return *pair.second == 1; });
            pair.first->cancel();
        },
        [&]() -> void*
        {
            static std::pair<HttpCaller*, std::atomic<int>*> pair;
            pair = { &caller, &running };
            return &pair;
        }()));
    CHECK (isFailure (caller.send ({}), HttpFailure::canceled));
    thread.join();
    CHECK (isFailure (caller.send ({}), HttpFailure::none));
    caller.stop();
    CHECK (isFailure (caller.send ({}), HttpFailure::canceled));
    EQUAL (running.load(), 2);
}
