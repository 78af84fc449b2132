// SPDX-License-Identifier: ISC
#include "tonerow.h"

#include <tonerow/license.h>
#include <tonerow/qr.h>

#include <algorithm>
#include <cstring>

using namespace tonerow;

namespace
{

const char* orEmpty (const char* text) noexcept { return text != nullptr ? text : ""; }

/** Ends with a zero, between two characters of UTF-8. */
std::size_t fill (char* buffer, std::size_t size, const std::string& text) noexcept
{
    if (buffer == nullptr || size == 0)
        return text.size();

    auto length = std::min (size - 1, text.size());

    while (length > 0 && length < text.size() && (static_cast<unsigned char> (text[length]) & 0xc0u) == 0x80u)
        --length;

    std::memcpy (buffer, text.data(), length);
    buffer[length] = 0;
    return text.size();
}

HttpExchange* exchangeOf (tonerow_exchange_t* exchange) noexcept { return reinterpret_cast<HttpExchange*> (exchange); }

const HttpExchange* exchangeOf (const tonerow_exchange_t* exchange) noexcept
{
    return reinterpret_cast<const HttpExchange*> (exchange);
}

const char* nameOfBusy (Busy busy) noexcept
{
    switch (busy)
    {
        case Busy::no:
            return "no";
        case Busy::activating:
            return "activating";
        case Busy::startingTrial:
            return "starting_trial";
        case Busy::checking:
            return "checking";
        case Busy::releasing:
            return "releasing";
        case Busy::browsing:
            return "browsing";
        case Busy::sendingCode:
            return "sending_code";
        case Busy::listingSeats:
            return "listing_seats";
        case Busy::releasingSeat:
            return "releasing_seat";
        case Busy::lookingForUpdate:
            return "looking_for_update";
    }

    return "no";
}

class CallbackHttp final : public Http
{
public:
    explicit CallbackHttp (const tonerow_http_t& h) noexcept : http (h) {}

    ~CallbackHttp() override
    {
        if (http.release != nullptr)
            http.release (http.context);
    }

    void send (const HttpRequest& request, HttpExchange& exchange) override
    {
        std::string headers;

        for (const auto& each : request.headers)
            headers += each.name + ": " + each.value + "\r\n";

        const tonerow_request_t passed {
            request.method.c_str(), request.url.c_str(), headers.c_str(), request.body.c_str(), request.body.size()
        };
        http.send (http.context, &passed, reinterpret_cast<tonerow_exchange_t*> (&exchange));
    }

    void cancel() noexcept override
    {
        if (http.cancel != nullptr)
            http.cancel (http.context);
    }

private:
    const tonerow_http_t http;
};

} // namespace

struct tonerow_license_t
{
    tonerow_license_t (Config config, Parts parts) : license (std::move (config), std::move (parts)) {}

    License license;
};

tonerow_license_t* TONEROW_C (open) (const tonerow_config_t* c)
{
    if (c == nullptr || c->size < sizeof (tonerow_config_t) || c->product_id == nullptr || c->developer_id == nullptr
        || c->server == nullptr || c->plugin_key == nullptr)
        return nullptr;

    Config config;
    config.server = c->server;
    config.pluginKey = c->plugin_key;
    config.productId = c->product_id;
    config.productName = orEmpty (c->product_name);
    config.developerId = c->developer_id;
    config.developer = orEmpty (c->developer);
    config.version = orEmpty (c->version);
    config.looksForUpdates = c->looks_for_updates != 0;

    for (std::size_t i = 0; c->keys != nullptr && i < c->key_count; ++i)
        config.keys.push_back ({ orEmpty (c->keys[i].kid), orEmpty (c->keys[i].x) });

    auto parts = Parts::ofThisSystem();

    if (parts.verifier == nullptr)
        return nullptr;

    for (std::size_t i = 0; c->older_machine_ids != nullptr && i < c->older_machine_id_count; ++i)
        parts.olderMachineIds.emplace_back (orEmpty (c->older_machine_ids[i]));

    parts.label = orEmpty (c->label);

    if (c->user_folder != nullptr)
        parts.places.user = c->user_folder;

    if (c->http.send != nullptr)
        parts.http = std::make_shared<CallbackHttp> (c->http);

    return new tonerow_license_t (std::move (config), std::move (parts));
}

void TONEROW_C (close) (tonerow_license_t* license) { delete license; }

int TONEROW_C (is_unlocked) (const tonerow_license_t* license) { return license->license.isUnlocked() ? 1 : 0; }

tonerow_loss_t TONEROW_C (loss) (const tonerow_license_t* license)
{
    switch (license->license.loss())
    {
        case OnLoss::finish:
            return TONEROW_FINISH;
        case OnLoss::bypass:
            return TONEROW_BYPASS;
        case OnLoss::mute:
            return TONEROW_MUTE;
    }

    return TONEROW_FINISH;
}

void TONEROW_C (processed) (tonerow_license_t* license, size_t samples, double sample_rate)
{
    license->license.processed (samples, sample_rate);
}

void TONEROW_C (view) (const tonerow_license_t* license, tonerow_view_t* into)
{
    if (into == nullptr || into->size < sizeof (tonerow_view_t))
        return;

    const auto view = license->license.view();
    into->is_unlocked = view.isUnlocked ? 1 : 0;
    into->is_finishing = view.isFinishing ? 1 : 0;
    into->is_busy = view.busy != Busy::no ? 1 : 0;
    into->days_left = view.daysLeft;
    into->seats_used = view.seatsUsed;
    into->seats_max = view.seatsMax;
    into->ends_at = view.endsAt;
    into->revision = view.revision;
    fill (into->state, sizeof (into->state), nameOf (view.state));
    fill (into->notice, sizeof (into->notice), nameOf (view.notice));
    fill (into->status, sizeof (into->status), view.status);
    fill (into->message, sizeof (into->message), view.message);
    fill (into->serial, sizeof (into->serial), view.serialMasked);
    fill (into->machine, sizeof (into->machine), view.machineId);
    fill (into->store_path, sizeof (into->store_path), view.storeTrouble.path);
    fill (into->store_trouble, sizeof (into->store_trouble), view.storeTrouble.reason);
}

uint32_t TONEROW_C (revision) (const tonerow_license_t* license) { return license->license.revision(); }

size_t TONEROW_C (busy) (const tonerow_license_t* license, char* buffer, size_t size)
{
    return fill (buffer, size, nameOfBusy (license->license.view().busy));
}

int TONEROW_C (attempt) (const tonerow_license_t* license, tonerow_attempt_t* into)
{
    if (into == nullptr || into->size < sizeof (tonerow_attempt_t))
        return 0;

    const auto attempt = license->license.view().attempt;
    fill (into->what, sizeof (into->what), nameOfBusy (attempt.what));
    fill (into->host, sizeof (into->host), attempt.host);
    fill (into->request_id, sizeof (into->request_id), attempt.requestId);
    into->http_status = attempt.httpStatus;
    into->at = attempt.at;
    return attempt.isThere() ? 1 : 0;
}

void TONEROW_C (try_again) (tonerow_license_t* license) { license->license.tryAgain(); }

void TONEROW_C (forget_notice) (tonerow_license_t* license) { license->license.forgetNotice(); }

void TONEROW_C (tick) (tonerow_license_t* license) { license->license.tick(); }

void TONEROW_C (editor_opened) (tonerow_license_t* license) { license->license.editorOpened(); }

void TONEROW_C (editor_closed) (tonerow_license_t* license) { license->license.editorClosed(); }

void TONEROW_C (activate) (tonerow_license_t* license, const char* serial, const char* email)
{
    license->license.activate (orEmpty (serial), orEmpty (email));
}

void TONEROW_C (activate_in_browser) (tonerow_license_t* license) { license->license.activateInBrowser(); }

int TONEROW_C (page) (const tonerow_license_t* license, tonerow_page_t* into)
{
    if (into == nullptr || into->size < sizeof (tonerow_page_t))
        return 0;

    const auto page = license->license.view().page;
    fill (into->address, sizeof (into->address), page.address);
    fill (into->code, sizeof (into->code), page.code);
    return page.isOpen() ? 1 : 0;
}

int TONEROW_C (qr) (const char* text, uint8_t* modules, size_t size)
{
    const auto code = QrCode::of (orEmpty (text));

    if (! code || modules == nullptr)
        return 0;

    const auto side = code->size();

    if (size < static_cast<std::size_t> (side) * static_cast<std::size_t> (side))
        return 0;

    for (auto y = 0; y < side; ++y)
        for (auto x = 0; x < side; ++x)
            *modules++ = code->isDark (x, y) ? 1 : 0;

    return side;
}

void TONEROW_C (send_seats_code) (tonerow_license_t* license) { license->license.sendSeatsCode(); }

int TONEROW_C (is_seats_code_sent) (const tonerow_license_t* license)
{
    return license->license.view().isCodeSent ? 1 : 0;
}

int TONEROW_C (are_seats_known) (const tonerow_license_t* license)
{
    return license->license.view().areSeatsKnown ? 1 : 0;
}

void TONEROW_C (list_seats) (tonerow_license_t* license, const char* code)
{
    license->license.listSeats (orEmpty (code));
}

size_t TONEROW_C (seat_count) (const tonerow_license_t* license) { return license->license.view().seats.size(); }

int TONEROW_C (seat) (const tonerow_license_t* license, size_t index, tonerow_seat_t* into)
{
    const auto seats = license->license.view().seats;

    if (into == nullptr || into->size < sizeof (tonerow_seat_t) || index >= seats.size())
        return 0;

    fill (into->id, sizeof (into->id), seats[index].id);
    fill (into->name, sizeof (into->name), seats[index].name);
    fill (into->last_seen, sizeof (into->last_seen), seats[index].lastSeen);
    into->is_this = seats[index].isThis ? 1 : 0;
    return 1;
}

void TONEROW_C (release_seat) (tonerow_license_t* license, const char* seat_id)
{
    license->license.releaseSeat (orEmpty (seat_id));
}

int TONEROW_C (update) (const tonerow_license_t* license, tonerow_update_t* into)
{
    if (into == nullptr || into->size < sizeof (tonerow_update_t))
        return 0;

    const auto update = license->license.view().update;
    fill (into->version, sizeof (into->version), update.version);
    fill (into->notes, sizeof (into->notes), update.notes);
    fill (into->link, sizeof (into->link), update.link);
    return update.isThere() ? 1 : 0;
}

int TONEROW_C (update_file) (const tonerow_license_t* license, tonerow_update_file_t* into)
{
    if (into == nullptr || into->size < sizeof (tonerow_update_file_t))
        return 0;

    const auto file = license->license.view().update.file.value_or (UpdateFile {});
    fill (into->name, sizeof (into->name), file.name);
    fill (into->sha256, sizeof (into->sha256), file.sha256);
    into->bytes = file.size;
    return file.sha256.empty() ? 0 : 1;
}

int TONEROW_C (is_update_file) (const tonerow_license_t* license, const void* bytes, size_t size)
{
    const auto file = license->license.view().update.file;
    return file && bytes != nullptr && isUpdateFile (*file, { static_cast<const char*> (bytes), size }) ? 1 : 0;
}

void TONEROW_C (look_for_update) (tonerow_license_t* license) { license->license.lookForUpdate(); }

void TONEROW_C (start_trial) (tonerow_license_t* license) { license->license.startTrial(); }

void TONEROW_C (check_now) (tonerow_license_t* license) { license->license.checkNow(); }

void TONEROW_C (cancel) (tonerow_license_t* license) { license->license.cancel(); }

void TONEROW_C (release) (tonerow_license_t* license) { license->license.release(); }

size_t TONEROW_C (machine_file) (const tonerow_license_t* license, char* buffer, size_t size)
{
    return fill (buffer, size, license->license.machineFile());
}

int TONEROW_C (read_license_file) (
    tonerow_license_t* license, const char* text, size_t text_size, char* notice, size_t size)
{
    const auto outcome = text == nullptr ? Notice::wrongFile : license->license.readLicenseFile ({ text, text_size });
    fill (notice, size, nameOf (outcome));
    return outcome == Notice::none ? 1 : 0;
}

int TONEROW_C (can_release_offline) (const tonerow_license_t* license)
{
    return license->license.view().isReleasable ? 1 : 0;
}

size_t TONEROW_C (release_offline) (tonerow_license_t* license, char* buffer, size_t size)
{
    return fill (buffer, size, license->license.releaseOffline());
}

size_t TONEROW_C (diagnostics) (const tonerow_license_t* license, char* buffer, size_t size)
{
    return fill (buffer, size, license->license.diagnostics());
}

int TONEROW_C (exchange_milliseconds_left) (const tonerow_exchange_t* exchange)
{
    return exchangeOf (exchange)->millisecondsLeft();
}

int TONEROW_C (exchange_must_stop) (const tonerow_exchange_t* exchange)
{
    return exchangeOf (exchange)->mustStop() ? 1 : 0;
}

void TONEROW_C (exchange_status) (tonerow_exchange_t* exchange, int status)
{
    exchangeOf (exchange)->setStatus (status);
}

void TONEROW_C (exchange_header) (tonerow_exchange_t* exchange, const char* name, const char* value)
{
    exchangeOf (exchange)->addHeader (orEmpty (name), orEmpty (value));
}

int TONEROW_C (exchange_body) (tonerow_exchange_t* exchange, const void* bytes, size_t size)
{
    return exchangeOf (exchange)->addBody (bytes, size) ? 1 : 0;
}

void TONEROW_C (exchange_finish) (tonerow_exchange_t* exchange) { exchangeOf (exchange)->finish(); }
