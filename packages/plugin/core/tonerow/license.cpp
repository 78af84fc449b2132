// SPDX-License-Identifier: ISC
// The public face of a license, and what it leaves to the worker.
#include "license_impl.h"

#include "machine.h"

#include <utility>

TONEROW_BEGIN

namespace
{

constexpr std::int64_t processedBeforeCheck = 5;

Store::Settings storeFor (const Config& config, const Places& places, const std::atomic<bool>* stop)
{
    Store::Settings settings;
    settings.places = places;
    settings.developer = config.developer.empty() ? config.developerId : config.developer;
    settings.product = config.productId;
    settings.sealKey = "tonerow seal 1\n" + config.developerId + "\n" + config.productId;
    settings.stop = stop;
    return settings;
}

/** Parts without a clock are no reason to crash a host. */
Parts withClock (Parts parts)
{
    if (parts.clock == nullptr)
        parts.clock = createSystemClock();

    return parts;
}

} // namespace

const char* nameOf (State state) noexcept
{
    switch (state)
    {
        case State::unlicensed:
            return "unlicensed";
        case State::trial:
            return "trial";
        case State::trialEnded:
            return "trial_ended";
        case State::active:
            return "active";
        case State::leased:
            return "leased";
        case State::checkSoon:
            return "check_soon";
        case State::expired:
            return "expired";
        case State::revoked:
            return "revoked";
        case State::otherMachine:
            return "other_machine";
        case State::misconfigured:
            return "misconfigured";
        case State::forGood:
            return "for_good";
    }

    return "unlicensed";
}

const char* nameOf (Notice notice) noexcept
{
    switch (notice)
    {
        case Notice::none:
            return "none";
        case Notice::refused:
            return "refused";
        case Notice::canceled:
            return "canceled";
        case Notice::unreachable:
            return "unreachable";
        case Notice::tooSlow:
            return "too_slow";
        case Notice::notGenuine:
            return "not_genuine";
        case Notice::busyServer:
            return "busy_server";
        case Notice::unknownPlugin:
            return "unknown_plugin";
        case Notice::clockIsWrong:
            return "clock_is_wrong";
        case Notice::emptySerial:
            return "empty_serial";
        case Notice::wrongFile:
            return "wrong_file";
        case Notice::expiredFile:
            return "expired_file";
        case Notice::leaseLonger:
            return "lease_longer";
        case Notice::spentFile:
            return "spent_file";
        case Notice::noChance:
            return "no_chance";
    }

    return "none";
}

bool isStored (const Config& config, const Places& places)
{
    return Store (storeFor (config, places, nullptr)).stamp() != 0;
}

Parts Parts::ofThisSystem()
{
    Parts parts;
    parts.verifier = createVerifier();
    parts.clock = createSystemClock();
    parts.places = Places::ofThisSystem();
    parts.systemIds = tonerow::systemIds();
#if defined(_WIN32)
    parts.os = "Windows";
#elif defined(__APPLE__)
    parts.os = "macOS";
#else
    parts.os = "Linux";
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
    parts.arch = "arm64";
#elif defined(__x86_64__) || defined(_M_X64)
    parts.arch = "x86_64";
#else
    parts.arch = "other";
#endif
    return parts;
}

License::Impl::Impl (Config c, Parts p) :
    config (std::move (c)), parts (withClock (std::move (p))),
    ids (machineIdsFor (config.developerId, parts.systemIds)), store (storeFor (config, parts.places, &isClosing)),
    caller (parts.http, parts.limits)
{
    reread();
}

License::Impl::~Impl()
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        isClosing = true;
        wake.notify_all();
    }
    caller.stop();
    worker.join();
}

View License::Impl::currentView() const
{
    const std::lock_guard<std::mutex> hold (mutex);
    auto copy = view;
    copy.isUnlocked = unlocked;
    copy.revision = revision;
    copy.storeTrouble = store.trouble();
    return copy;
}

void License::Impl::begin (Busy what)
{
    const std::lock_guard<std::mutex> hold (mutex);
    jobs.push_back (what);
    view.busy = what;
    clearNotice();
    isGivenUp = true; // whatever still waits for a browser

    // of another serial, or of another time
    if (what == Busy::activating || what == Busy::browsing || what == Busy::sendingCode)
        forgetSeats();

    if (what == Busy::activating || what == Busy::browsing)
        confirmedCode.clear();
    startWorker();
    ++revision;
}

void License::Impl::beginActivation (std::string serial, std::string email)
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        wantedSerial = std::move (serial);
        wantedEmail = std::move (email);
    }
    begin (Busy::activating);
}

void License::Impl::forgetNotice()
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        clearNotice();
    }
    ++revision;
}

void License::Impl::tryAgain()
{
    auto what = Busy::no;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        what = view.attempt.what;
    }

    if (what != Busy::no)
        begin (what);
}

void License::Impl::beginSeats (std::string code)
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        wantedCode = std::move (code);
    }
    begin (Busy::listingSeats);
}

void License::Impl::beginRelease (std::string seatId)
{
    auto isThis = false;
    {
        const std::lock_guard<std::mutex> hold (mutex);

        for (const auto& each : view.seats)
            isThis = isThis || (each.isThis && each.id == seatId);

        wantedSeat = std::move (seatId);
    }
    // a plugin that gives its own seat back is locked
    begin (isThis ? Busy::releasing : Busy::releasingSeat);
}

void License::Impl::awaken()
{
    const std::lock_guard<std::mutex> hold (mutex);

    if (std::exchange (isAwake, true))
        return;

    startWorker();
}

void License::Impl::countEditors (int by)
{
    const std::lock_guard<std::mutex> hold (mutex);
    editors += by;
    wake.notify_all();
}

void License::Impl::cancel()
{
    {
        const std::lock_guard<std::mutex> hold (mutex);
        isGivenUp = true;
        wake.notify_all();
    }
    caller.cancel();
}

void License::Impl::setListener (Listener function, void* context)
{
    const std::lock_guard<std::mutex> hold (listenerMutex);
    listener = function;
    listenerContext = context;
}

//==================================================================================================================
License::License (Config config, Parts parts) : impl (std::make_unique<Impl> (std::move (config), std::move (parts))) {}

License::~License() = default;

bool License::isUnlocked() const noexcept { return impl->unlocked.load (std::memory_order_relaxed); }

OnLoss License::loss() const noexcept { return impl->lossNow.load (std::memory_order_relaxed); }

void License::processed (std::size_t samples, double sampleRate) noexcept
{
    if (sampleRate > 0.0)
        impl->processedMicroseconds.fetch_add (
            static_cast<std::int64_t> (static_cast<double> (samples) * 1.0e6 / sampleRate), std::memory_order_relaxed);
}

View License::view() const { return impl->currentView(); }

std::uint32_t License::revision() const noexcept { return impl->revision.load(); }

void License::tick()
{
    if (impl->processedMicroseconds.load (std::memory_order_relaxed) >= processedBeforeCheck * 1000000)
        impl->awaken();
}

void License::editorOpened()
{
    impl->countEditors (1);
    impl->awaken();
}

void License::editorClosed() { impl->countEditors (-1); }

void License::activate (std::string serial, std::string email)
{
    impl->beginActivation (std::move (serial), std::move (email));
}

void License::activateInBrowser() { impl->begin (Busy::browsing); }

void License::tryAgain() { impl->tryAgain(); }

void License::forgetNotice() { impl->forgetNotice(); }

void License::sendSeatsCode() { impl->begin (Busy::sendingCode); }

void License::listSeats (std::string code) { impl->beginSeats (std::move (code)); }

void License::releaseSeat (std::string seatId) { impl->beginRelease (std::move (seatId)); }

void License::lookForUpdate() { impl->begin (Busy::lookingForUpdate); }

void License::startTrial() { impl->begin (Busy::startingTrial); }

void License::checkNow() { impl->begin (Busy::checking); }

void License::cancel() { impl->cancel(); }

void License::release() { impl->begin (Busy::releasing); }

std::string License::machineFile() const { return impl->machineFile(); }

std::string License::peekMachineFile() const { return impl->peekMachineFile(); }

Notice License::readLicenseFile (std::string_view text) { return impl->takeFile (text); }

std::string License::releaseOffline() { return impl->releaseOffline(); }

std::string License::diagnostics() const { return impl->diagnostics(); }

void License::setListener (Listener listener, void* context) { impl->setListener (listener, context); }

void License::removeListener() { impl->setListener (nullptr, nullptr); }

TONEROW_END
