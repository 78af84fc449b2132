// SPDX-License-Identifier: ISC
// What the core needs of an operating system besides files: time, chance, a thread.
#pragma once

#include "base.h"

#include <memory>

TONEROW_BEGIN

/** The time of day. Tests have one of their own. */
class Clock
{
public:
    virtual ~Clock() = default;

    virtual Seconds now() const noexcept = 0;
};

std::shared_ptr<const Clock> createSystemClock();

/** Milliseconds that only move forward, for waiting. */
std::int64_t steadyMilliseconds() noexcept;

void sleepMilliseconds (int) noexcept;

/** 128 random bits of the operating system's generator in hexadecimal; empty when it has none, and then nothing may be
    asked. */
std::string createNonce();

/** A thread that does not throw when the system has none left. */
class Thread
{
public:
    using Function = void (*) (void*);

    Thread() noexcept = default;
    ~Thread();

    Thread (const Thread&) = delete;
    Thread& operator= (const Thread&) = delete;

    /** False when the system refuses. The context has to outlive the thread. */
    bool start (Function, void* context) noexcept;

    bool isRunning() const noexcept { return handle != nullptr; }

    void join() noexcept;

    /** Leaves it to itself. The caller has pinned this binary, because the thread may run its code. */
    void detach() noexcept;

private:
    void* handle = nullptr;
};

/** Keeps the binary that this code is in loaded until the process ends. Plugins are unloaded, and a thread that waits
   for a name server cannot be ended. False when the system refuses. */
bool pinThisBinary() noexcept;

TONEROW_END
