#include "machine.h"

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace
{

std::atomic<bool> online { true };
std::atomic<int> tried { 0 };
std::atomic<long long> clockMilliseconds { 0 };
std::atomic<int> named { 0 }, locked { 0 };
std::mutex names;
std::condition_variable namesChanged;
bool areNamesHeard = true;

template <typename Function>
Function original (const char* name)
{
    return reinterpret_cast<Function> (dlsym (RTLD_NEXT, name));
}

} // namespace

// These take the place of the C library's, for libcurl and libstdc++ too. Waiting goes by the other clocks.
extern "C"
{

int gettimeofday (struct timeval* time, void*) noexcept
{
    const auto now = clockMilliseconds.load();
    time->tv_sec = static_cast<time_t> (now / 1000);
    time->tv_usec = static_cast<suseconds_t> (now % 1000 * 1000);
    return 0;
}

int clock_gettime (clockid_t id, struct timespec* time) noexcept
{
    static const auto real = original<int (*) (clockid_t, struct timespec*)> ("clock_gettime");

    if (id != CLOCK_REALTIME)
        return real (id, time);

    const auto now = clockMilliseconds.load();
    time->tv_sec = static_cast<time_t> (now / 1000);
    time->tv_nsec = static_cast<long> (now % 1000 * 1000000);
    return 0;
}

// JUCE looks for well-known web sites when a server does not answer; a test asks nobody but this computer
int getaddrinfo (const char* node, const char* service, const struct addrinfo* hints, struct addrinfo** result)
{
    static const auto real = original<int (*) (const char*, const char*, const struct addrinfo*, struct addrinfo**)> ("getaddrinfo");
    std::unique_lock<std::mutex> hold (names);

    if (! areNamesHeard)
        ++named;

    namesChanged.wait (hold, [] { return areNamesHeard; });
    return node != nullptr && std::strncmp (node, "127.", 4) == 0 ? real (node, service, hints, result) : EAI_NONAME;
}

// each computer has the id of its own system
int open (const char* path, int flags, ...)
{
    static const auto real = original<int (*) (const char*, int, ...)> ("open");
    va_list more;
    va_start (more, flags);
    const auto mode = (flags & O_CREAT) != 0 ? va_arg (more, unsigned) : 0u;
    va_end (more);
    const auto isId = std::strcmp (path, "/etc/machine-id") == 0 || std::strcmp (path, "/var/lib/dbus/machine-id") == 0;
    return real (isId ? getenv ("TEST_MACHINE_ID") : path, flags, mode);
}

int fcntl (int file, int command, ...)
{
    static const auto real = original<int (*) (int, int, ...)> ("fcntl");
    va_list more;
    va_start (more, command);
    auto* argument = va_arg (more, void*);
    va_end (more);

    if (command == F_SETLK && static_cast<const struct flock*> (argument)->l_type == F_WRLCK)
        ++locked;

    return real (file, command, argument);
}

int connect (int socket, const struct sockaddr* address, socklen_t size)
{
    static const auto real = original<int (*) (int, const struct sockaddr*, socklen_t)> ("connect");

    if (address->sa_family != AF_INET && address->sa_family != AF_INET6)
        return real (socket, address, size);

    ++tried;

    if (online)
        return real (socket, address, size);

    errno = ENETUNREACH;
    return -1;
}

}

void Machine::setClock (long long milliseconds) { clockMilliseconds = milliseconds; }
void Machine::setOnline (bool is)               { online = is; }
int Machine::connections()                      { return tried; }
int Machine::namesAsked()                       { return named; }
int Machine::locksTried()                       { return locked; }

void Machine::setNamesHeard (bool are)
{
    const std::lock_guard<std::mutex> hold (names);
    areNamesHeard = are;
    namesChanged.notify_all();
}

void Machine::deliverMessages()
{
    auto delivered = false;
    juce::MessageManager::callAsync ([&delivered] { delivered = true; });

    // for no time at all, because the clock stands still
    while (! delivered)
        juce::MessageManager::getInstance()->runDispatchLoopUntil (0);
}
