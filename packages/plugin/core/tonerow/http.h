// SPDX-License-Identifier: ISC
// The port to the network. The host program brings a transport; the limits are ours, whatever it does: 30 seconds and 1
// MiB in all, and it can be abandoned when it hangs.
#pragma once

#include "base.h"
#include "system.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

TONEROW_BEGIN

struct HttpHeader
{
    std::string name, value;
};

struct HttpRequest
{
    std::string method, url, body;
    std::vector<HttpHeader> headers;
};

enum class HttpFailure
{
    none,
    unreachable,
    tooSlow,
    tooLarge,
    canceled
};

struct HttpLimits
{
    int milliseconds = 30000;
    std::size_t bytes = 1024 * 1024;
    int graceMilliseconds = 80; // for a transport to end once it is canceled
};

struct HttpResponse
{
    HttpFailure failure = HttpFailure::unreachable;
    int status = 0;
    std::string body;
    std::vector<HttpHeader> headers;

    /** By its name in any case; empty when it is missing. */
    std::string header (const char* name) const;
};

/** Where a transport delivers what it gets. */
class HttpExchange
{
public:
    explicit HttpExchange (const HttpLimits&) noexcept;

    /** For the time limits of the transport's own functions. */
    int millisecondsLeft() const noexcept;

    /** Asked between two steps that may take long. */
    bool mustStop() const noexcept;

    void setStatus (int);
    void addHeader (std::string name, std::string value);

    /** False when nothing more is wanted: too much, too late, or canceled. */
    bool addBody (const void* bytes, std::size_t size);

    /** All has come. Without this, an answer counts as cut off. */
    void finish();

private:
    friend class HttpCaller;

    const HttpLimits limits;
    const std::int64_t deadline;
    std::atomic<bool> isCanceled { false };
    bool isFinished = false, isTooLarge = false;
    std::size_t headerBytes = 0;
    HttpResponse response;
};

class Http
{
public:
    virtual ~Http() = default;

    /** Sends a request and waits for its end. It is called on a thread of its own, one at a time, and may outlive the
       license when a function of the system cannot be interrupted. */
    virtual void send (const HttpRequest&, HttpExchange&) = 0;

    /** Makes a running `send` return soon. Any thread may call it, also when none is running. */
    virtual void cancel() noexcept = 0;
};

/** Calls a transport, and never waits longer than the limits for it. */
class HttpCaller
{
public:
    HttpCaller (std::shared_ptr<Http>, const HttpLimits&);

    HttpResponse send (HttpRequest);

    /** Ends the running request, and all later ones. */
    void stop() noexcept;

    /** Ends the running request alone. */
    void cancel() noexcept;

private:
    struct Call;

    static void run (void*);

    const std::shared_ptr<Http> http;
    const HttpLimits limits;
    std::mutex mutex; // of what follows
    std::shared_ptr<Call> current;
    std::shared_ptr<Call> abandoned; // it waits for the system, and so would the next one
    bool isStopped = false;
};

TONEROW_END
