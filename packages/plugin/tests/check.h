// SPDX-License-Identifier: ISC
// Tests in a few lines: TEST ("what it guarantees") { CHECK (condition); EQUAL (found, expected); }
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace check
{

struct Test
{
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests()
{
    static std::vector<Test> all;
    return all;
}

inline int& failures()
{
    static int count = 0;
    return count;
}

inline const char*& current()
{
    static const char* name = "";
    return name;
}

struct Add
{
    Add (const char* name, void (*run)()) { tests().push_back ({ name, run }); }
};

inline void fail (const char* file, int line, const std::string& text)
{
    ++failures();
    std::fprintf (stderr, "%s:%d: %s: %s\n", file, line, current(), text.c_str());
}

/** A copy of what was found; a text by its characters. */
inline std::string kept (const char* text) { return text; }

template <typename Value>
Value kept (Value value)
{
    return value;
}

template <typename Value>
std::string shown (const Value& value)
{
    std::ostringstream text;
    text << value;
    return text.str();
}

/** Runs all tests whose name has the first argument in it; none at all is a failure. */
inline int runAll (int argc, char** argv)
{
    const std::string wanted = argc > 1 ? argv[1] : "";
    auto count = 0;

    for (const auto& test : tests())
    {
        if (std::string (test.name).find (wanted) == std::string::npos)
            continue;

        current() = test.name;
        test.run();
        ++count;
    }

    std::printf ("%d tests, %d failures\n", count, failures());
    return failures() == 0 && count > 0 ? 0 : 1;
}

} // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_ (a, b)
#define TEST(name)                                                                                                     \
    static void CHECK_JOIN (test, __LINE__)();                                                                         \
    static const check::Add CHECK_JOIN (add, __LINE__) (name, CHECK_JOIN (test, __LINE__));                            \
    static void CHECK_JOIN (test, __LINE__)()
#define CHECK(condition)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        if (! (condition))                                                                                             \
            check::fail (__FILE__, __LINE__, #condition);                                                              \
    } while (false)
#define EQUAL(found, expected)                                                                                         \
    do                                                                                                                 \
    {                                                                                                                  \
        const auto foundValue = check::kept (found);                                                                   \
        const decltype (foundValue) expectedValue = (expected);                                                        \
        if (! (foundValue == expectedValue))                                                                           \
            check::fail (__FILE__,                                                                                     \
                         __LINE__,                                                                                     \
                         #found ": " + check::shown (foundValue) + " instead of " + check::shown (expectedValue));     \
    } while (false)
