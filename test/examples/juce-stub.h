// What the examples use of JUCE, declared as JUCE 8 declares it and done as simply as can be, so that a compiler can check
// them, and TonerowLicense can run against a real server, where JUCE is not. Written for these tests.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define JUCE_DECLARE_NON_COPYABLE_WITH_LEAK_DETECTOR(name) \
    name (const name&) = delete;                           \
    name& operator= (const name&) = delete;

namespace juce
{

using int64 = long long;

class String
{
public:
    String() = default;
    String (const char* t) : text (t) {}
    String (const std::string& t) : text (t) {}
    static String fromUTF8 (const char* t, int size) { return std::string (t, static_cast<std::size_t> (size)); }
    explicit String (int n) : text (std::to_string (n)) {}
    explicit String (long n) : text (std::to_string (n)) {}
    explicit String (long long n) : text (std::to_string (n)) {}
    bool isEmpty() const { return text.empty(); }
    bool isNotEmpty() const { return ! text.empty(); }
    String trim() const
    {
        const auto first = text.find_first_not_of (" \t\r\n"), last = text.find_last_not_of (" \t\r\n");
        return first == std::string::npos ? String() : String (text.substr (first, last - first + 1).c_str());
    }
    int64 getLargeIntValue() const { return std::atoll (text.c_str()); }
    std::string toStdString() const { return text; }
    String removeCharacters (const String& these) const
    {
        String kept;
        for (const auto c : text)
            if (these.text.find (c) == std::string::npos)
                kept.text += c;
        return kept;
    }

private:
    std::string text;
};

using StringRef = const String&;

inline String operator+ (const String& a, const String& b) { return (a.toStdString() + b.toStdString()).c_str(); }
inline bool operator== (const String& a, const String& b) { return a.toStdString() == b.toStdString(); }
inline bool operator!= (const String& a, const String& b) { return ! (a == b); }

class StringArray
{
public:
    const String& operator[] (int) const;
};

using Identifier = String;

template <typename Element>
using Array = std::vector<Element>;

class ReferenceCountedObject
{
public:
    virtual ~ReferenceCountedObject() = default;
};

class DynamicObject;

class var
{
public:
    var() = default;
    var (bool b) : text (b ? "1" : "0") {}
    var (const char* t) : text (t) {}
    var (const String& t) : text (t) {}
    var (ReferenceCountedObject* o) : object (o) {}
    var (const std::vector<var>& l) : list (std::make_shared<std::vector<var>> (l)) {}
    String toString() const { return text; }
    operator bool() const { return text == "1"; }
    var getProperty (const Identifier&, const var& fallback) const;
    DynamicObject* getDynamicObject() const;
    Array<var>* getArray() const { return list.get(); }

private:
    String text;
    std::shared_ptr<ReferenceCountedObject> object;
    std::shared_ptr<std::vector<var>> list;
};

class DynamicObject : public ReferenceCountedObject
{
public:
    void setProperty (const Identifier& name, const var& value) { properties[name.toStdString()] = value; }
    void removeProperty (const Identifier& name) { properties.erase (name.toStdString()); }
    std::map<std::string, var> properties;
};

inline DynamicObject* var::getDynamicObject() const { return dynamic_cast<DynamicObject*> (object.get()); }

inline var var::getProperty (const Identifier& name, const var& fallback) const
{
    if (const auto* o = getDynamicObject())
        if (const auto found = o->properties.find (name.toStdString()); found != o->properties.end())
            return found->second;
    return fallback;
}

/** Reads what a well-behaved server sends; what is none of it is nothing. */
struct JSON
{
    static var parse (const String& source)
    {
        const auto text = source.toStdString();
        std::size_t at = 0;
        return text.empty() || text[0] != '{' ? var() : read (text, at);
    }

    static String toString (const var& value, bool = false)
    {
        std::string json;
        for (const auto& [name, each] : value.getDynamicObject()->properties)
            json += (json.empty() ? "{" : ",") + quoted (name) + ":" + quoted (each.toString().toStdString());
        return (json + "}").c_str();
    }

private:
    static std::string quoted (const std::string& text)
    {
        std::string result = "\"";
        for (const auto c : text)
            result += c == '"' || c == '\\' ? std::string ("\\") + c : std::string (1, c);
        return result + "\"";
    }

    static std::string readText (const std::string& json, std::size_t& at)
    {
        std::string text;
        for (++at; at < json.size() && json[at] != '"'; ++at)
            text += json[at] == '\\' ? json[++at] : json[at];
        ++at;
        return text;
    }

    static var read (const std::string& json, std::size_t& at)
    {
        if (json[at] == '"')
            return String (readText (json, at).c_str());

        if (json[at] == '{' || json[at] == '[')
        {
            const auto isObject = json[at] == '{';
            auto object = std::make_unique<DynamicObject>();
            std::vector<var> list;
            for (++at; at < json.size() && json[at] != '}' && json[at] != ']'; at += json[at] == ',' ? 1 : 0)
            {
                const auto name = isObject ? readText (json, at) : std::string();
                at += isObject ? 1 : 0;
                const auto value = read (json, at);
                object->setProperty (name.c_str(), value);
                list.push_back (value);
            }
            ++at;
            return isObject ? var (object.release()) : var (list);
        }

        const auto end = json.find_first_of (",]}", at);
        const auto word = json.substr (at, end - at);
        at = end;
        return word == "true" ? var (true) : word == "false" ? var (false) : var (word.c_str());
    }
};

class MemoryBlock
{
public:
    const void* getData() const { return bytes.data(); }
    std::size_t getSize() const { return bytes.size(); }
    std::string bytes;
};

class StringPairArray
{
public:
    String getValue (StringRef name, const String& fallback) const
    {
        const auto found = values.find (lower (name.toStdString()));
        return found == values.end() ? fallback : found->second;
    }
    void set (const String& name, const String& value) { values[lower (name.toStdString())] = value; }

private:
    static std::string lower (std::string text)
    {
        for (auto& c : text)
            c = c >= 'A' && c <= 'Z' ? static_cast<char> (c - 'A' + 'a') : c;
        return text;
    }

    std::map<std::string, String> values;
};

class InputStream
{
public:
    virtual ~InputStream() = default;
    virtual String readEntireStreamAsString() = 0;
    virtual std::size_t readIntoMemoryBlock (MemoryBlock&, std::ptrdiff_t = -1) = 0;
};

class URL
{
public:
    enum class ParameterHandling { inAddress, inPostData };

    class InputStreamOptions
    {
    public:
        explicit InputStreamOptions (ParameterHandling);
        [[nodiscard]] InputStreamOptions withExtraHeaders (const String&) const;
        [[nodiscard]] InputStreamOptions withConnectionTimeoutMs (int) const;
    };

    URL (const String& u) : address (u) {}
    URL withPOSTData (const String& data) const { auto copy = *this; copy.body = data; return copy; }
    URL withParameter (const String& name, const String& value) const { return URL (address + "?" + name + "=" + value); }
    String getDomain() const;
    std::unique_ptr<InputStream> createInputStream (const InputStreamOptions&) const;

    String address, body;
};

/** What goes in and out of the test. */
struct Host
{
    static inline std::atomic<int64> clock { 0 };
    static inline std::atomic<bool> online { true };
    static inline std::atomic<int> requests { 0 };
    static inline std::string machine, folder;
};

class WebInputStream : public InputStream
{
public:
    class Listener;
    WebInputStream (const URL& u, bool post) : url (u), isPost (post) {}
    WebInputStream& withExtraHeaders (const String& h) { headers = h.toStdString(); return *this; }
    WebInputStream& withConnectionTimeout (int) { return *this; }
    int getStatusCode() { return status; }
    void cancel() {}
    String readEntireStreamAsString() override { return answer.c_str(); }
    std::size_t readIntoMemoryBlock (MemoryBlock& block, std::ptrdiff_t = -1) override { block.bytes += answer; return answer.size(); }
    StringPairArray getResponseHeaders() { return answerHeaders; }

    bool connect (Listener*)
    {
        ++Host::requests;
        const auto file = Host::folder + "/request";
        std::ofstream (file + ".headers") << headers;
        std::ofstream (file + ".body") << url.body.toStdString();
        const auto data = isPost ? " --data-binary @" + file + ".body" : std::string();
        const auto command = "curl -s -D '" + file + ".answer' -w '%{http_code}' -H @" + file + ".headers" + data + " '" + url.address.toStdString() + "'";

        if (auto* pipe = Host::online ? popen (command.c_str(), "r") : nullptr)
        {
            for (int c; (c = fgetc (pipe)) != EOF;)
                answer += static_cast<char> (c);
            pclose (pipe);
            status = std::stoi (answer.substr (answer.size() - 3));
            answer.resize (answer.size() - 3);

            std::ifstream lines (file + ".answer");
            for (std::string line; std::getline (lines, line);)
                if (const auto colon = line.find (": "); colon != std::string::npos)
                    answerHeaders.set (line.substr (0, colon), line.substr (colon + 2, line.find ('\r') - colon - 2));
        }
        return status != 0;
    }

private:
    URL url;
    bool isPost;
    std::string headers, answer;
    StringPairArray answerHeaders;
    int status = 0;
};

using CriticalSection = std::recursive_mutex;

class ScopedLock
{
public:
    explicit ScopedLock (CriticalSection& m) : guard (m) {}

private:
    std::lock_guard<CriticalSection> guard;
};

class InterProcessLock
{
public:
    explicit InterProcessLock (const String&) {}
};

class Thread
{
public:
    explicit Thread (const String&) {}
    virtual ~Thread() = default;
    virtual void run() = 0;
    bool startThread() { thread = std::thread ([this] { run(); }); return true; }
    void signalThreadShouldExit() { leaving = true; }
    bool threadShouldExit() const { return leaving; }
    bool waitForThreadToExit (int) { thread.join(); return true; }

    bool wait (double ms) const
    {
        std::unique_lock<std::mutex> scope (mutex);
        const auto woken = condition.wait_for (scope, std::chrono::duration<double, std::milli> (ms), [this] { return notified; });
        notified = false;
        return woken;
    }

    void notify() const
    {
        const std::lock_guard<std::mutex> scope (mutex);
        notified = true;
        condition.notify_all();
    }

private:
    std::thread thread;
    std::atomic<bool> leaving { false };
    mutable std::mutex mutex;
    mutable std::condition_variable condition;
    mutable bool notified = false;
};

class ChangeBroadcaster
{
public:
    virtual ~ChangeBroadcaster() = default;
    void sendChangeMessage() {}
};

struct File
{
    static String createLegalFileName (const String& name) { return name; }
};

/** One line a property. */
class PropertiesFile
{
public:
    struct Options
    {
        String applicationName, filenameSuffix, folderName, osxLibrarySubFolder;
        int millisecondsBeforeSaving;
        InterProcessLock* processLock;
    };

    explicit PropertiesFile (const Options& o) : path (Host::folder + "/" + o.applicationName.toStdString() + "." + o.filenameSuffix.toStdString()) { reload(); }
    String getValue (StringRef name, const String& fallback = String()) const noexcept
    {
        const auto found = values.find (name.toStdString());
        return found == values.end() ? fallback : String (found->second.c_str());
    }
    void setValue (StringRef name, const var& value) { values[name.toStdString()] = value.toString().toStdString(); }
    void removeValue (StringRef name) { values.erase (name.toStdString()); }
    bool saveIfNeeded()
    {
        std::ofstream file (path);
        for (const auto& [name, value] : values)
            file << name << ' ' << value << '\n';
        return file.good();
    }
    bool reload()
    {
        std::ifstream file (path);
        values.clear();
        for (std::string line; std::getline (file, line);)
            values[line.substr (0, line.find (' '))] = line.substr (line.find (' ') + 1);
        return true;
    }

private:
    std::string path;
    std::map<std::string, std::string> values;
};

class Time
{
public:
    Time() = default;
    explicit Time (int64 ms) : milliseconds (ms) {}
    static int64 currentTimeMillis() { return Host::clock; }
    int64 toMilliseconds() const { return milliseconds; }

private:
    int64 milliseconds = 0;
};

struct SystemStats
{
    static String getUniqueDeviceID() { return Host::machine.c_str(); }
    static String getComputerName() { return "Studio"; }
    static String getOperatingSystemName() { return "Linux"; }
};

class Uuid
{
public:
    String toString() const { return "5c1f0b7e"; }
};

template <typename Type>
constexpr Type jmax (Type a, Type b) { return a < b ? b : a; }

class RSAKey
{
public:
    explicit RSAKey (const String&);
};

class OnlineUnlockStatus
{
public:
    virtual ~OnlineUnlockStatus();
    virtual String getProductID() = 0;
    virtual bool doesProductIDMatch (const String&) = 0;
    virtual RSAKey getPublicKey() = 0;
    virtual void saveState (const String&) = 0;
    virtual String getState() = 0;
    virtual String getWebsiteName() = 0;
    virtual URL getServerAuthenticationURL() = 0;
    virtual String readReplyFromWebserver (const String& email, const String& password) = 0;
    virtual StringArray getLocalMachineIDs();
    void load();
    var isUnlocked() const;
};

template <typename Type>
class SharedResourcePointer
{
public:
    Type* operator->() const { return object.get(); }

private:
    std::unique_ptr<Type> object = std::make_unique<Type>();
};

} // namespace juce
