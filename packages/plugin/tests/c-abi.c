/* SPDX-License-Identifier: ISC */
/* The C functions, as a C program uses them. */
#include <tonerow.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
static int sent = 0, released = 0;

#define CHECK(condition)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        if (! (condition))                                                                                             \
        {                                                                                                              \
            ++failures;                                                                                                \
            fprintf (stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                           \
        }                                                                                                              \
    } while (0)

static void send_nothing (void* context, const tonerow_request_t* request, tonerow_exchange_t* exchange)
{
    const char body[] = "{\"ok\":true,\"status\":\"active\"}";
    CHECK (strcmp (request->method, "POST") == 0);
    CHECK (strcmp (request->url, "https://licenses.example.com/api/license/v1/activate") == 0);
    CHECK (strstr (request->headers, "X-Tonerow-Nonce: ") != NULL);
    CHECK (strlen (request->body) == request->body_size);
    CHECK (TONEROW_C (exchange_must_stop) (exchange) == 0);
    CHECK (TONEROW_C (exchange_milliseconds_left) (exchange) > 10000);
    TONEROW_C (exchange_status) (exchange, 200);
    TONEROW_C (exchange_header) (exchange, "X-Tonerow-Date", "1");
    TONEROW_C (exchange_header) (exchange, "X-Request-Id", "request-1");
    CHECK (TONEROW_C (exchange_body) (exchange, body, strlen (body)) == 1);
    TONEROW_C (exchange_finish) (exchange);
    *(int*)context += 1;
}

static void cancel_nothing (void* context) { (void)context; }

static void release_context (void* context)
{
    (void)context;
    ++released;
}

static tonerow_view_t view_of (const tonerow_license_t* license)
{
    tonerow_view_t view;
    memset (&view, 0, sizeof (view));
    view.size = sizeof (view);
    TONEROW_C (view) (license, &view);
    return view;
}

int main (int argc, char** argv)
{
    const tonerow_key_t key = { "key-current", "w3OuSW3mwLxZu26QxctIl6Pc-R_ib78WRdsAr5AZUpE" };
    const char* const older[] = { "L896D48A88" };
    tonerow_config_t config;
    tonerow_license_t* license;
    char buffer[512];
    uint8_t modules[57 * 57];
    tonerow_page_t page;
    tonerow_seat_t seat;
    tonerow_update_t update;
    tonerow_attempt_t attempt;
    size_t length;
    int rounds;

    memset (&config, 0, sizeof (config));
    CHECK (TONEROW_C (open) (NULL) == NULL);
    config.size = sizeof (config);
    CHECK (TONEROW_C (open) (&config) == NULL);
    config.server = "https://licenses.example.com";
    config.plugin_key = "tnr_plg_0";
    config.product_id = "product-1";
    config.product_name = "R\xc3\xb6hre 2";
    config.developer_id = "developer-1";
    config.version = "1.0.0";
    config.keys = &key;
    config.key_count = 1;
    config.older_machine_ids = older;
    config.older_machine_id_count = 1;
    config.http.context = &sent;
    config.http.send = send_nothing;
    config.http.cancel = cancel_nothing;
    config.http.release = release_context;
    config.user_folder = argc > 1 ? argv[1] : NULL;
    config.size = 8;
    CHECK (TONEROW_C (open) (&config) == NULL);
    config.size = sizeof (config);
    license = TONEROW_C (open) (&config);
    CHECK (license != NULL);

    if (license == NULL)
        return 1;

    CHECK (TONEROW_C (is_unlocked) (license) == 0);
    CHECK (TONEROW_C (loss) (license) == TONEROW_FINISH);
    CHECK (strcmp (view_of (license).state, "unlicensed") == 0);
    TONEROW_C (processed) (license, 64, 48000.0);
    TONEROW_C (tick) (license);
    CHECK (sent == 0);
    TONEROW_C (activate) (license, "AAAA-BBBB-CCCC-DDDD", NULL);

    for (rounds = 0; rounds < 10000000 && view_of (license).is_busy; ++rounds)
    {
    }

    CHECK (sent == 1);
    CHECK (strcmp (view_of (license).notice, "not_genuine") == 0);
    CHECK (TONEROW_C (revision) (license) > 0);
    memset (&attempt, 0, sizeof (attempt));
    CHECK (TONEROW_C (attempt) (license, &attempt) == 0);
    attempt.size = sizeof (attempt);
    CHECK (TONEROW_C (attempt) (license, &attempt) == 1);
    CHECK (strcmp (attempt.what, "activating") == 0 && strcmp (attempt.host, "licenses.example.com") == 0);
    CHECK (attempt.http_status == 200 && strcmp (attempt.request_id, "request-1") == 0 && attempt.at > 0);
    CHECK (TONEROW_C (busy) (license, buffer, sizeof (buffer)) == 2 && strcmp (buffer, "no") == 0);
    TONEROW_C (try_again) (license);

    for (rounds = 0; rounds < 10000000 && view_of (license).is_busy; ++rounds)
    {
    }

    CHECK (sent == 2);
    TONEROW_C (forget_notice) (license);
    CHECK (strcmp (view_of (license).notice, "none") == 0);
    CHECK (TONEROW_C (attempt) (license, &attempt) == 0 && attempt.host[0] == 0);
    CHECK (TONEROW_C (is_unlocked) (license) == 0);

    length = TONEROW_C (machine_file) (license, buffer, sizeof (buffer));
    CHECK (length == strlen (buffer) && strstr (buffer, "\"app\":\"R\xc3\xb6hre 2\"") != NULL);
    CHECK (TONEROW_C (machine_file) (license, NULL, 0) == length);
    /* a buffer that is too short ends between two characters */
    CHECK (TONEROW_C (machine_file) (license, buffer, (size_t)(strstr (buffer, "\xb6") - buffer) + 1) == length);
    CHECK (buffer[strlen (buffer) - 1] == 'R');
    CHECK (TONEROW_C (read_license_file) (license, "nothing", 7, buffer, sizeof (buffer)) == 0);
    CHECK (strcmp (buffer, "wrong_file") == 0);
    CHECK (TONEROW_C (read_license_file) (license, NULL, 0, NULL, 0) == 0);
    CHECK (TONEROW_C (can_release_offline) (license) == 0);
    buffer[0] = 'x';
    CHECK (TONEROW_C (release_offline) (license, buffer, sizeof (buffer)) == 0 && buffer[0] == 0);
    CHECK (TONEROW_C (diagnostics) (license, buffer, sizeof (buffer)) > 0);
    memset (&page, 0, sizeof (page));
    memset (&seat, 0, sizeof (seat));
    memset (&update, 0, sizeof (update));
    page.size = sizeof (page);
    seat.size = sizeof (seat);
    update.size = sizeof (update);
    CHECK (TONEROW_C (page) (license, &page) == 0 && page.address[0] == 0);
    CHECK (TONEROW_C (seat_count) (license) == 0);
    CHECK (TONEROW_C (seat) (license, 0, &seat) == 0);
    CHECK (TONEROW_C (update) (license, &update) == 0);
    CHECK (TONEROW_C (qr) ("https://a.example", modules, sizeof (modules)) == 25);
    CHECK (TONEROW_C (qr) ("https://a.example", modules, 8) == 0);
    CHECK (TONEROW_C (qr) (NULL, modules, sizeof (modules)) == 21);
    TONEROW_C (editor_opened) (license);
    TONEROW_C (editor_closed) (license);
    TONEROW_C (cancel) (license);
    CHECK (released == 0);
    TONEROW_C (close) (license);
    CHECK (released == 1);
    return failures == 0 ? 0 : 1;
}
