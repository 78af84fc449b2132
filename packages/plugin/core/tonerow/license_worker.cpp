// SPDX-License-Identifier: ISC
// The thread that does what there is to do, and looks around in between.
#include "license_impl.h"

#include <chrono>

TONEROW_BEGIN

void License::Impl::startWorker()
{
    if (! worker.isRunning())
        worker.start ([] (void* self) { static_cast<Impl*> (self)->run(); }, this);

    isPoked = true;
    wake.notify_all();
}

void License::Impl::run()
{
    keepOlder();
    std::unique_lock<std::mutex> hold (mutex);

    while (! isClosing)
    {
        isPoked = false;

        if (jobs.empty())
        {
            hold.unlock();
            lookAround();
            hold.lock();

            if (! isClosing && jobs.empty() && ! isPoked)
                wake.wait_for (hold, std::chrono::seconds (editors > 0 ? 2 : 60));

            continue;
        }

        const auto job = jobs.front();
        jobs.pop_front();
        isGivenUp = ! jobs.empty();
        hold.unlock();
        perform (job);
        hold.lock();
        view.busy = jobs.empty() ? Busy::no : jobs.front();
        hold.unlock();
        changed();
        hold.lock();
    }
}

void License::Impl::perform (Busy job)
{
    doing = job;

    switch (job)
    {
        case Busy::activating:
            activate();
            break;
        case Busy::startingTrial:
            startTrial();
            break;
        case Busy::checking:
            ask (true);
            break;
        case Busy::releasing:
            release();
            break;
        case Busy::browsing:
            browse();
            break;
        case Busy::sendingCode:
            sendCode();
            break;
        case Busy::listingSeats:
            listSeats();
            break;
        case Busy::releasingSeat:
            releaseSeat();
            break;
        case Busy::lookingForUpdate:
            lookForUpdate (true);
            break;
        case Busy::no:
            break;
    }
}

void License::Impl::changed()
{
    ++revision;
    const std::lock_guard<std::mutex> hold (listenerMutex);

    if (listener != nullptr)
        listener (listenerContext);
}

void License::Impl::lookAround()
{
    const auto stamp = store.stamp();
    auto isStale = false, mayAsk = false;
    State before;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        isStale = stamp != knownStamp;
        mayAsk = isAwake;
        before = view.state;
    }
    const auto wasOpen = unlocked.load();
    reread();
    auto isOther = isStale || unlocked != wasOpen;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        isOther = isOther || view.state != before;
    }

    if (isOther)
        changed();

    rememberTime();
    doing = Busy::checking;

    if (mayAsk && ask (false))
        changed();

    auto isSeen = false;
    {
        const std::lock_guard<std::mutex> hold (mutex);
        isSeen = editors > 0;
    }

    if (mayAsk && isSeen && config.looksForUpdates && lookForUpdate (false))
        changed();
}

void License::Impl::rememberTime()
{
    const auto record = stored();
    const auto now = timeFor (record);

    if (now - record.integer (field::seen) < hour || ! judge (record, now).isUnlocked)
        return;

    Change change;
    change.set.setInteger (field::seen, now);
    store.update (change);
}

TONEROW_END
