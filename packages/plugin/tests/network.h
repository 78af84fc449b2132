// SPDX-License-Identifier: ISC
// A transport against real sockets that do what bad networks do. Whoever includes it defines TONEROW_TEST_HTTP, which
// makes one, and TONEROW_TEST_HTTP_NAME.
#pragma once

#include "check.h"
#include "support.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace support;

namespace
{

enum class Manner
{
    good,
    neverAccepts,     // its queue is full: nobody answers who wants to connect
    neverAnswers,     // it takes the question
    dripsHeaders,     // a byte each 5 ms, for ever
    dripsBody,        // likewise
    answersEndlessly, // 590 MB
    cutsOff           // ten bytes of a hundred
};

/** A server on this computer with one thread. */
class BadServer
{
public:
    explicit BadServer (Manner m) : manner (m)
    {
        listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
        socklen_t size = sizeof (address);
        CHECK (bind (listener, reinterpret_cast<sockaddr*> (&address), size) == 0);
        CHECK (listen (listener, manner == Manner::neverAccepts ? 0 : 8) == 0);
        CHECK (getsockname (listener, reinterpret_cast<sockaddr*> (&address), &size) == 0);
        url = "http://127.0.0.1:" + std::to_string (ntohs (address.sin_port));

        if (manner == Manner::neverAccepts)
        {
            for (auto& each : queued)
            {
                each = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
                connect (each, reinterpret_cast<sockaddr*> (&address), size);
            }

            return;
        }

        CHECK (thread.start ([] (void* self) { static_cast<BadServer*> (self)->run(); }, this));
    }

    ~BadServer()
    {
        isOver = true;
        thread.join();

        for (const auto each : queued)
            if (each >= 0)
                close (each);

        close (listener);
    }

    BadServer (const BadServer&) = delete;
    BadServer& operator= (const BadServer&) = delete;

    std::string url;
    std::atomic<int> asked { 0 };
    std::atomic<std::size_t> sent { 0 };

private:
    /** False when that has not come to pass before the end of the test. */
    bool waitFor (int socket, short what) const
    {
        while (! isOver)
        {
            pollfd one { socket, what, 0 };

            if (poll (&one, 1, 10) > 0)
                return true;
        }

        return false;
    }

    /** False when the other side is gone. */
    bool give (int client, const char* bytes, std::size_t size)
    {
        while (size > 0)
        {
            if (! waitFor (client, POLLOUT))
                return false;

            const auto given = send (client, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);

            if (given < 0 && errno != EAGAIN)
                return false;

            if (given > 0)
            {
                bytes += given;
                size -= static_cast<std::size_t> (given);
                sent += static_cast<std::size_t> (given);
            }
        }

        return true;
    }

    bool give (int client, const std::string& text) { return give (client, text.data(), text.size()); }

    void answer (int client)
    {
        const auto body = [] (const char* size)
        { return std::string ("HTTP/1.1 200 OK\r\nX-Tonerow-Date: 12\r\nContent-Length: ") + size + "\r\n\r\n"; };
        const std::string piece (65536, 'x');

        switch (manner)
        {
            case Manner::good:
                give (client, body ("3") + "abc");
                break;
            case Manner::cutsOff:
                give (client, body ("100") + "0123456789");
                break;
            case Manner::dripsHeaders:
                for (auto is = give (client, "HTTP/1.1 200 OK\r\nX-Drip: "); is && ! isOver; is = give (client, "x"))
                    sleepMilliseconds (5);
                break;
            case Manner::dripsBody:
                for (auto is = give (client, body ("900000")); is && ! isOver; is = give (client, "x"))
                    sleepMilliseconds (5);
                break;
            case Manner::answersEndlessly:
                for (auto is = give (client, body ("590000000")); is && sent < 590000000; is = give (client, piece))
                    continue;
                break;
            case Manner::neverAnswers:
                // until the other side has had enough
                for (char byte; ! isOver && recv (client, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;)
                    sleepMilliseconds (1);
                break;
            case Manner::neverAccepts:
                break;
        }
    }

    /** Whether a question has come with its body, which is one object of JSON without others in it. */
    static bool isWhole (const std::string& question)
    {
        const auto body = question.find ("\r\n\r\n");
        return body != std::string::npos && question.size() > body + 4 && question.back() == '}';
    }

    void run()
    {
        while (waitFor (listener, POLLIN))
        {
            const auto client = accept4 (listener, nullptr, nullptr, SOCK_CLOEXEC);
            std::string question;
            char bytes[4096];

            // all of it: what closes with something unread resets the connection
            while (client >= 0 && ! isWhole (question) && waitFor (client, POLLIN))
            {
                const auto size = recv (client, bytes, sizeof (bytes), 0);

                if (size <= 0)
                    break;

                question.append (bytes, static_cast<std::size_t> (size));
            }

            ++asked;
            answer (client);
            close (client);
        }
    }

    const Manner manner;
    int listener = -1;
    int queued[4] = { -1, -1, -1, -1 };
    std::atomic<bool> isOver { false };
    Thread thread;
};

const char* nameOf (HttpFailure failure)
{
    switch (failure)
    {
        case HttpFailure::none:
            return "none";
        case HttpFailure::unreachable:
            return "unreachable";
        case HttpFailure::tooSlow:
            return "too slow";
        case HttpFailure::tooLarge:
            return "too large";
        case HttpFailure::canceled:
            return "canceled";
    }

    return "";
}

struct Timed
{
    HttpResponse response;
    std::int64_t milliseconds = 0;
};

Timed ask (const std::string& url, int milliseconds)
{
    HttpLimits limits;
    limits.milliseconds = milliseconds;
    HttpCaller caller (TONEROW_TEST_HTTP, limits);
    const auto begin = steadyMilliseconds();
    auto response = caller.send ({ "POST", url + "/", "{}", { { "X-Tonerow-Nonce", "1" } } });
    return { std::move (response), steadyMilliseconds() - begin };
}

Timed ask (const BadServer& server, int milliseconds) { return ask (server.url, milliseconds); }

/** How long a plugin takes to close while it asks such a server. */
std::int64_t closing (const std::string& url, const std::function<void()>& begun)
{
    World world;
    auto config = world.config();
    config.server = url;
    auto parts = world.parts();
    parts.http = TONEROW_TEST_HTTP;
    auto license = std::make_unique<License> (config, parts);
    license->activate (world.server->serial, "");
    begun();
    CHECK (license->view().busy == Busy::activating);
    const auto begin = steadyMilliseconds();
    license.reset();
    return steadyMilliseconds() - begin;
}

constexpr auto early = 20;   // a transport's own clock
constexpr auto slack = 1500; // for a computer that has much else to do

} // namespace

TEST (TONEROW_TEST_HTTP_NAME ": an answer comes over a real socket")
{
    const BadServer server (Manner::good);
    const auto [response, milliseconds] = ask (server, 10000);
    EQUAL (std::string (nameOf (response.failure)), "none");
    EQUAL (response.status, 200);
    EQUAL (response.body, "abc");
    EQUAL (response.header ("X-Tonerow-Date"), "12");
}

TEST (TONEROW_TEST_HTTP_NAME ": who never accepts, never answers or drips has the time of one answer, and no more")
{
    for (const auto manner : { Manner::neverAccepts, Manner::neverAnswers, Manner::dripsHeaders, Manner::dripsBody })
    {
        const BadServer server (manner);
        const auto [response, milliseconds] = ask (server, 300);
        EQUAL (std::string (nameOf (response.failure)), "too slow");
        CHECK (milliseconds >= 300 - early && milliseconds < 300 + slack);
    }
}

TEST (TONEROW_TEST_HTTP_NAME ": of 590 MB no more is taken than 1 MiB and what was under way")
{
    const BadServer server (Manner::answersEndlessly);
    const auto [response, milliseconds] = ask (server, 20000);
    EQUAL (std::string (nameOf (response.failure)), "too large");
    CHECK (server.sent < 32u * 1024 * 1024);
}

TEST (TONEROW_TEST_HTTP_NAME ": what is cut off is no answer")
{
    const BadServer server (Manner::cutsOff);
    EQUAL (std::string (nameOf (ask (server, 10000).response.failure)), "unreachable");
}

TEST (TONEROW_TEST_HTTP_NAME ": a plugin closes in less than 200 ms, whatever the server does")
{
    for (const auto manner : { Manner::neverAccepts, Manner::neverAnswers, Manner::dripsHeaders, Manner::dripsBody })
    {
        const BadServer server (manner);
        const auto milliseconds = closing (server.url,
                                           [&]
                                           {
                                               if (manner == Manner::neverAccepts)
                                                   sleepMilliseconds (30); // nobody sees that somebody tries
                                               else
                                                   CHECK (eventually ([&] { return server.asked == 1; }));
                                           });
        CHECK (milliseconds < 200);
    }
}

TEST (TONEROW_TEST_HTTP_NAME ": black hole")
{
    // in a network of its own that takes everything and answers nothing: see black-hole.sh
    if (std::getenv ("TONEROW_BLACK_HOLE") == nullptr)
        return;

    for (const auto* url : { "http://10.66.0.7", "http://licenses.example.com" })
    {
        const auto [response, milliseconds] = ask (url, 300);
        EQUAL (std::string (nameOf (response.failure)), "too slow");
        CHECK (milliseconds >= 300 - early && milliseconds < 300 + slack);
        CHECK (closing (url, [] { sleepMilliseconds (50); }) < 200);
    }
}
