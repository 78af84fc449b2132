// SPDX-License-Identifier: ISC
#include "http.h"

#include <algorithm>
#include <chrono>

TONEROW_BEGIN

namespace
{

bool isSameName (const std::string& one, const char* other) noexcept
{
    const auto lower = [] (char c) { return c >= 'A' && c <= 'Z' ? static_cast<char> (c - 'A' + 'a') : c; };
    std::size_t at = 0;

    while (at < one.size() && other[at] != 0 && lower (one[at]) == lower (other[at]))
        ++at;

    return at == one.size() && other[at] == 0;
}

constexpr std::size_t mostHeaderBytes = 64 * 1024;
/** By so much the clock of a transport, which is given the time that is left, may be ahead of ours. */
constexpr int earlyMilliseconds = 20;

} // namespace

std::string HttpResponse::header (const char* name) const
{
    for (const auto& each : headers)
        if (isSameName (each.name, name))
            return each.value;

    return {};
}

HttpExchange::HttpExchange (const HttpLimits& l) noexcept : limits (l), deadline (steadyMilliseconds() + l.milliseconds)
{
}

int HttpExchange::millisecondsLeft() const noexcept
{
    return static_cast<int> (std::max<std::int64_t> (0, deadline - steadyMilliseconds()));
}

bool HttpExchange::mustStop() const noexcept { return isCanceled || millisecondsLeft() == 0; }

void HttpExchange::setStatus (int status) { response.status = status; }

void HttpExchange::addHeader (std::string name, std::string value)
{
    headerBytes += name.size() + value.size();

    if (headerBytes <= mostHeaderBytes)
        response.headers.push_back ({ std::move (name), std::move (value) });
}

bool HttpExchange::addBody (const void* bytes, std::size_t size)
{
    if (mustStop())
        return false;

    if (size > limits.bytes - response.body.size())
    {
        isTooLarge = true;
        return false;
    }

    response.body.append (static_cast<const char*> (bytes), size);
    return true;
}

void HttpExchange::finish() { isFinished = true; }

/** What the thread of a request owns together with whoever waits for it. */
struct HttpCaller::Call
{
    Call (std::shared_ptr<Http> h, HttpRequest r, const HttpLimits& l) :
        http (std::move (h)), request (std::move (r)), exchange (l)
    {
    }

    const std::shared_ptr<Http> http;
    const HttpRequest request;
    HttpExchange exchange;

    std::mutex mutex; // of what follows
    std::condition_variable changed;
    bool isDone = false, isCanceled = false;
};

HttpCaller::HttpCaller (std::shared_ptr<Http> h, const HttpLimits& l) : http (std::move (h)), limits (l) {}

void HttpCaller::run (void* context)
{
    const std::unique_ptr<std::shared_ptr<Call>> owned (static_cast<std::shared_ptr<Call>*> (context));
    auto& call = **owned;
    call.http->send (call.request, call.exchange);
    const std::lock_guard<std::mutex> hold (call.mutex);
    call.isDone = true;
    call.changed.notify_all();
}

HttpResponse HttpCaller::send (HttpRequest request)
{
    HttpResponse failed;
    auto call = std::make_shared<Call> (http, std::move (request), limits);
    {
        const std::lock_guard<std::mutex> hold (mutex);

        if (http == nullptr || isStopped)
        {
            failed.failure = isStopped ? HttpFailure::canceled : HttpFailure::unreachable;
            return failed;
        }

        // threads that wait for the same name server would pile up
        if (abandoned != nullptr)
        {
            const std::lock_guard<std::mutex> holdOther (abandoned->mutex);

            if (! abandoned->isDone)
                return failed;
        }

        abandoned = nullptr;
        current = call;
    }

    Thread thread;
    auto context = std::make_unique<std::shared_ptr<Call>> (call);

    if (! thread.start (run, context.get()))
    {
        const std::lock_guard<std::mutex> hold (mutex);
        current = nullptr;
        return failed;
    }

    static_cast<void> (context.release());
    const auto within = [] (std::int64_t milliseconds)
    { return std::chrono::steady_clock::now() + std::chrono::milliseconds (std::max<std::int64_t> (0, milliseconds)); };
    auto isDone = false, isCanceled = false;
    {
        std::unique_lock<std::mutex> hold (call->mutex);
        call->changed.wait_until (hold, within (limits.milliseconds), [&] { return call->isDone || call->isCanceled; });
        isCanceled = call->isCanceled;
        isDone = call->isDone;
    }

    if (! isDone)
    {
        call->exchange.isCanceled = true;
        http->cancel();
        std::unique_lock<std::mutex> hold (call->mutex);
        call->changed.wait_until (hold, within (limits.graceMilliseconds), [&] { return call->isDone; });
        isDone = call->isDone;
    }

    const std::lock_guard<std::mutex> hold (mutex);
    current = nullptr;

    if (! isDone)
    {
        // it has all that it needs, but for the code that it runs
        pinThisBinary();
        thread.detach();
        abandoned = call;
        failed.failure = isCanceled ? HttpFailure::canceled : HttpFailure::tooSlow;
        return failed;
    }

    thread.join();
    auto& exchange = call->exchange;
    auto response = std::move (exchange.response);
    response.failure = isCanceled                                        ? HttpFailure::canceled
                       : exchange.isTooLarge                             ? HttpFailure::tooLarge
                       : exchange.isFinished                             ? HttpFailure::none
                       : exchange.millisecondsLeft() < earlyMilliseconds ? HttpFailure::tooSlow
                                                                         : HttpFailure::unreachable;
    return response;
}

void HttpCaller::cancel() noexcept
{
    std::shared_ptr<Call> call;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        call = current;
    }

    if (call == nullptr)
        return;

    const std::lock_guard<std::mutex> hold (call->mutex);
    call->isCanceled = true;
    call->changed.notify_all();
}

void HttpCaller::stop() noexcept
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        isStopped = true;
    }
    cancel();
}

TONEROW_END
