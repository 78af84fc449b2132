// SPDX-License-Identifier: ISC
#include "system.h"

#include "text.h"

#include <chrono>

#if defined(_WIN32)
    #ifndef NOMINMAX
        #define NOMINMAX
    #endif
    #ifndef WIN32_LEAN_AND_MEAN
        #define WIN32_LEAN_AND_MEAN
    #endif
    #include <windows.h>

    #include <bcrypt.h>
    #include <process.h>
#else
    #include <cerrno>
    #include <ctime>
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <unistd.h>
    #if defined(__APPLE__)
        #include <Security/Security.h>
    #elif defined(__linux__)
        #include <sys/random.h>
    #endif
#endif

TONEROW_BEGIN

namespace
{

class SystemClock final : public Clock
{
public:
    Seconds now() const noexcept override
    {
        return std::chrono::duration_cast<std::chrono::seconds> (std::chrono::system_clock::now().time_since_epoch())
            .count();
    }
};

bool fillWithChance (std::uint8_t* bytes, std::size_t size) noexcept
{
#if defined(_WIN32)
    return BCryptGenRandom (nullptr, bytes, static_cast<ULONG> (size), BCRYPT_USE_SYSTEM_PREFERRED_RNG) >= 0;
#elif defined(__APPLE__)
    return SecRandomCopyBytes (kSecRandomDefault, size, bytes) == errSecSuccess;
#else
    std::size_t filled = 0;

    #if defined(__linux__)
    while (filled < size)
    {
        const auto got = getrandom (bytes + filled, size - filled, 0);

        if (got > 0)
            filled += static_cast<std::size_t> (got);
        else if (errno != EINTR)
            break;
    }

    if (filled == size)
        return true;
    #endif

    const auto file = open ("/dev/urandom", O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return false;

    while (filled < size)
    {
        const auto got = read (file, bytes + filled, size - filled);

        if (got > 0)
            filled += static_cast<std::size_t> (got);
        else if (got == 0 || errno != EINTR)
            break;
    }

    close (file);
    return filled == size;
#endif
}

/** What a new thread needs to know; it deletes it. */
struct Start
{
    Thread::Function function;
    void* context;
};

#if defined(_WIN32)
unsigned __stdcall enterThread (void* data)
#else
void* enterThread (void* data)
#endif
{
    const std::unique_ptr<Start> start (static_cast<Start*> (data));
    start->function (start->context);
    return 0;
}

} // namespace

std::shared_ptr<const Clock> createSystemClock() { return std::make_shared<SystemClock>(); }

std::int64_t steadyMilliseconds() noexcept
{
    return std::chrono::duration_cast<std::chrono::milliseconds> (std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void sleepMilliseconds (int milliseconds) noexcept
{
#if defined(_WIN32)
    Sleep (static_cast<DWORD> (milliseconds));
#else
    timespec left { milliseconds / 1000, milliseconds % 1000 * 1000000L };

    while (nanosleep (&left, &left) != 0 && errno == EINTR)
    {
    }
#endif
}

std::string createNonce()
{
    std::uint8_t bytes[16];
    return fillWithChance (bytes, sizeof (bytes)) ? toHex (bytes, sizeof (bytes)) : std::string();
}

Thread::~Thread() { join(); }

bool Thread::start (Function function, void* context) noexcept
{
    auto data = std::make_unique<Start> (Start { function, context });

#if defined(_WIN32)
    handle = reinterpret_cast<void*> (_beginthreadex (nullptr, 0, enterThread, data.get(), 0, nullptr));
    const auto isStarted = handle != nullptr;
#else
    auto thread = std::make_unique<pthread_t>();
    const auto isStarted = pthread_create (thread.get(), nullptr, enterThread, data.get()) == 0;

    if (isStarted)
        handle = thread.release();
#endif

    if (isStarted)
        static_cast<void> (data.release());

    return isStarted;
}

void Thread::join() noexcept
{
    if (handle == nullptr)
        return;

#if defined(_WIN32)
    WaitForSingleObject (handle, INFINITE);
    CloseHandle (handle);
#else
    const std::unique_ptr<pthread_t> thread (static_cast<pthread_t*> (handle));
    pthread_join (*thread, nullptr);
#endif

    handle = nullptr;
}

void Thread::detach() noexcept
{
    if (handle == nullptr)
        return;

#if defined(_WIN32)
    CloseHandle (handle);
#else
    const std::unique_ptr<pthread_t> thread (static_cast<pthread_t*> (handle));
    pthread_detach (*thread);
#endif

    handle = nullptr;
}

bool pinThisBinary() noexcept
{
#if defined(_WIN32)
    HMODULE module = nullptr;
    return GetModuleHandleExW (GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                               reinterpret_cast<LPCWSTR> (reinterpret_cast<void*> (&createNonce)),
                               &module)
           != 0;
#else
    Dl_info info {};

    if (dladdr (reinterpret_cast<void*> (&createNonce), &info) == 0 || info.dli_fname == nullptr)
        return false;

    // the program itself cannot be unloaded, and is not found by this
    return dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
#endif
}

TONEROW_END
