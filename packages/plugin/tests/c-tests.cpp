// SPDX-License-Identifier: ISC
// What a plugin in C does, against the stand-in for the server.
#include "check.h"
#include "support.h"

#include <tonerow.h>

#include <ctime>

using namespace support;

namespace
{

/** The server as a plugin in C reaches it, and one license. */
class Plugin
{
public:
    Plugin()
    {
        world.clock->time = std::time (nullptr);
        const auto key = world.server->signer.publicKey();
        const tonerow_key_t keys[] = { { key.kid.c_str(), key.x.c_str() } };
        tonerow_config_t config {};
        config.size = sizeof (config);
        config.server = "https://licenses.example.com";
        config.plugin_key = "tnr_plg_0";
        config.product_id = "product-1";
        config.developer_id = "developer-1";
        config.version = "1.0.0";
        config.keys = keys;
        config.key_count = 1;
        config.user_folder = world.folder.path.c_str();
        config.http.context = world.server.get();
        config.http.send = send;
        license = TONEROW_C (open) (&config);
        CHECK (license != nullptr);
    }

    ~Plugin() { TONEROW_C (close) (license); }

    Plugin (const Plugin&) = delete;
    Plugin& operator= (const Plugin&) = delete;

    tonerow_view_t view() const
    {
        tonerow_view_t into {};
        into.size = sizeof (into);
        TONEROW_C (view) (license, &into);
        return into;
    }

    std::string settled() const
    {
        CHECK (eventually ([&] { return view().is_busy == 0; }));
        return std::string (view().notice) + " " + view().status;
    }

    tonerow_seat_t seat (std::size_t index) const
    {
        tonerow_seat_t into {};
        into.size = sizeof (into);
        CHECK (TONEROW_C (seat) (license, index, &into) == 1);
        return into;
    }

    std::string busy() const
    {
        char text[32];
        TONEROW_C (busy) (license, text, sizeof (text));
        return text;
    }

    World world;
    tonerow_license_t* license = nullptr;

private:
    static void send (void* context, const tonerow_request_t* asked, tonerow_exchange_t* exchange)
    {
        HttpRequest request { asked->method, asked->url, { asked->body, asked->body_size }, {} };
        const std::string headers = asked->headers;

        for (std::size_t at = 0; at < headers.size();)
        {
            const auto end = headers.find ("\r\n", at);
            const auto line = headers.substr (at, end - at);
            const auto colon = line.find (": ");
            request.headers.push_back ({ line.substr (0, colon), line.substr (colon + 2) });
            at = end + 2;
        }

        const auto answer = static_cast<FakeServer*> (context)->answer (request);
        TONEROW_C (exchange_status) (exchange, answer.status);

        for (const auto& each : answer.headers)
            TONEROW_C (exchange_header) (exchange, each.name.c_str(), each.value.c_str());

        TONEROW_C (exchange_body) (exchange, answer.body.data(), answer.body.size());
        TONEROW_C (exchange_finish) (exchange);
    }
};

} // namespace

TEST ("C: a computer that has a seat lists all by its token, and gives its own back")
{
    Plugin plugin;
    auto& seats = plugin.world.server->seats;
    seats = { "a" };
    TONEROW_C (activate) (plugin.license, "AAAA-BBBB-CCCC-DDDD", nullptr);
    EQUAL (plugin.settled(), "none ");
    CHECK (TONEROW_C (is_unlocked) (plugin.license) == 1);
    CHECK (TONEROW_C (are_seats_known) (plugin.license) == 0);
    TONEROW_C (list_seats) (plugin.license, nullptr);
    EQUAL (plugin.settled(), "none ");
    CHECK (TONEROW_C (are_seats_known) (plugin.license) == 1);
    EQUAL (TONEROW_C (seat_count) (plugin.license), 2u);
    CHECK (plugin.seat (0).is_this == 0 && plugin.seat (1).is_this == 1);
    TONEROW_C (release_seat) (plugin.license, plugin.seat (0).id);
    EQUAL (plugin.settled(), "refused code_required");
    EQUAL (seats.size(), 2u);
    TONEROW_C (release_seat) (plugin.license, plugin.seat (1).id);
    EQUAL (plugin.settled(), "none ");
    EQUAL (seats.size(), 1u);
    CHECK (TONEROW_C (is_unlocked) (plugin.license) == 0);
}

TEST ("C: with a code from the owner's email another computer is released")
{
    Plugin plugin;
    auto& seats = plugin.world.server->seats;
    seats = { "a", "b" };
    TONEROW_C (activate) (plugin.license, "AAAA-BBBB-CCCC-DDDD", nullptr);
    EQUAL (plugin.settled(), "refused seat_limit");
    tonerow_attempt_t attempt {};
    attempt.size = sizeof (attempt);
    CHECK (TONEROW_C (attempt) (plugin.license, &attempt) == 1);
    EQUAL (std::string (attempt.what) + " " + attempt.host, "activating licenses.example.com");
    CHECK (TONEROW_C (is_seats_code_sent) (plugin.license) == 0);
    TONEROW_C (send_seats_code) (plugin.license);
    EQUAL (plugin.settled(), "none ");
    CHECK (TONEROW_C (is_seats_code_sent) (plugin.license) == 1);
    TONEROW_C (list_seats) (plugin.license, "BCDF-GHJK");
    EQUAL (plugin.settled(), "none ");
    TONEROW_C (release_seat) (plugin.license, "seat-a");
    EQUAL (plugin.settled(), "none ");
    CHECK (TONEROW_C (is_unlocked) (plugin.license) == 1);
    EQUAL (seats.size(), 2u);
}

TEST ("C: an update's file is good by the developer's signature of its hash alone")
{
    Plugin plugin;
    plugin.world.server->newest = "2.0";
    tonerow_update_file_t file {};
    file.size = sizeof (file);
    TONEROW_C (look_for_update) (plugin.license);
    plugin.settled();
    CHECK (TONEROW_C (update_file) (plugin.license, &file) == 0);
    CHECK (TONEROW_C (is_update_file) (plugin.license, "abc", 3) == 0);
    plugin.world.server->updateSignature = makeUpdate (plugin.world.server->signer, "product-1", "2.0");
    TONEROW_C (look_for_update) (plugin.license);
    plugin.settled();
    CHECK (TONEROW_C (update_file) (plugin.license, &file) == 1);
    EQUAL (std::string (file.name), "roehre.zip");
    EQUAL (file.bytes, 3);
    CHECK (TONEROW_C (is_update_file) (plugin.license, "abc", 3) == 1);
    CHECK (TONEROW_C (is_update_file) (plugin.license, "abd", 3) == 0);
    EQUAL (plugin.busy(), "no");
}
