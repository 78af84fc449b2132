// SPDX-License-Identifier: ISC
// The inside of a license, for its own files alone: license.cpp and license_*.cpp.
#pragma once

#include "http.h"
#include "json.h"
#include "license.h"
#include "store.h"
#include "system.h"
#include "token.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>

TONEROW_BEGIN

class License::Impl
{
public:
    Impl (Config, Parts);
    ~Impl();

    std::atomic<bool> unlocked { false };
    std::atomic<OnLoss> lossNow { OnLoss::finish };
    std::atomic<std::int64_t> processedMicroseconds { 0 };
    std::atomic<std::uint32_t> revision { 0 };

    //==================================================================================================================
    // license.cpp: what the public face calls

    View currentView() const;
    void begin (Busy);
    void beginActivation (std::string serial, std::string email);
    void forgetNotice();
    void tryAgain();
    void beginSeats (std::string code);
    void beginRelease (std::string seatId);

    /** From here on it may use the network by itself. */
    void awaken();

    void countEditors (int by);
    void cancel();
    void setListener (Listener, void* context);

    //==================================================================================================================
    // license_offline.cpp: license files, and a text for support

    Notice takeFile (std::string_view text);
    std::string machineFile();
    std::string peekMachineFile() const;
    std::string releaseOffline();
    std::string diagnostics() const;

private:
    /** What is stored, judged. */
    struct Judgement
    {
        State state = State::unlicensed;
        Verdict verdict; // of the token that decides
        bool isUnlocked = false;
        bool isFromToken = false; // not from a license file
    };

    /** What the server answered, or why there is no answer. */
    struct Reply
    {
        Notice notice = Notice::unreachable; // none: it is the server's
        bool ok = false;
        std::string status, message, token;
        int seatsMax = 0, seatsLeft = 0;
        Seconds signedAt = 0;
        JsonObject answer;
        Attempt attempt;

        /** Nothing but what was asked. */
        Reply bare() const
        {
            Reply reply;
            reply.attempt = attempt;
            return reply;
        }
    };

    //==================================================================================================================
    // license_state.cpp: what is stored, judged and shown

    /** What is stored, or was stored elsewhere by a plugin before this one. */
    Record stored() const;

    Record olderRecord() const;

    /** Before the first change, which would take its place. */
    void keepOlder();

    /** What this computer is called. Where the system has no id, a number of its own. */
    std::string primaryId (const Record&) const;

    /** A computer without an id gets one of its own, which stays with the file. */
    std::string ensurePrimaryId();

    std::vector<std::string> knownIds (const Record&) const;

    /** Names of what the machine is, without what the server takes for separators. */
    static bool isMachineId (std::string_view id);

    /** The time, corrected by what the server's was when it was asked last, and never before what was seen. */
    Seconds timeFor (const Record&) const;

    bool isClockBehind (const Record&) const;
    Verdict check (std::string_view token, const Record&, Seconds now) const;
    bool isConfigured() const;
    Judgement judge (const Record&, Seconds now) const;

    /** Decides anew by what is stored. */
    void reread();

    void publish (const Judgement&, const Record&, Seconds now);

    //==================================================================================================================
    // license_offline.cpp: license files, and the secrets by which they are released

    static bool isReleasedHash (const std::string& hash, const Record&);

    /** The secret of this computer, unless a license file was released with it. */
    static std::string unusedSecret (const Record&);

    /** A secret for the next license file, where none is waiting. */
    void ensureReleaseSecret();

    /** Whether a license file is for the secret of this computer, where it names one: without the file of the secret, a
     * license file that was released is worth nothing. */
    static bool isOurs (const Verdict&, const Record&);

    /** The license file that can be released: the one that unlocks this computer, and no other account's as well. */
    std::optional<Verdict> releasable (const Record&) const;

    //==================================================================================================================
    // license_worker.cpp: the thread that does what there is to do

    /** Called with the mutex held. */
    void startWorker();

    void run();
    void perform (Busy);
    void changed();

    /** What another host wrote, what has expired, and whether the server has to be asked. */
    void lookAround();

    /** While the license is good, the time is remembered every hour, so that turning the clock back wins no more than
     * that. */
    void rememberTime();

    //==================================================================================================================
    // license_calls.cpp: the questions to the server

    /** The daily question. False when it is not due, or another host asks it. */
    bool ask (bool isWanted);

    Reply askForLicense (const Record&, const std::vector<std::string>& known);
    Reply askForTrial (const Record&);
    JsonWriter activation (const std::string& serial,
                           const std::string& email,
                           const std::string& primary,
                           std::vector<std::string> older) const;
    void activate();
    void startTrial();
    void release();
    Reply post (const char* verb, const JsonWriter& body);
    Reply send (const char* method, const char* verb, const std::string& query, const std::string& body);

    //==================================================================================================================
    // license_browser.cpp: an activation that somebody confirms in a browser

    /** Waits between two questions. False when that was canceled, or the plugin is closed. */
    bool waited (std::int64_t seconds);

    void showPage (Page);

    /** As a television signs in (RFC 8628): a page is shown, and the server asked now and then whether somebody
     * answered. */
    void browse();

    /** An activation with the serial that was chosen in the browser. */
    void takeConfirmed (const Reply&);

    /** What the server said in the end, or why it was not waited for. */
    Reply waitForAnswer (const std::string& deviceCode,
                         const std::string& primary,
                         std::int64_t interval,
                         std::int64_t until);

    //==================================================================================================================
    // license_seats.cpp: the computers that hold a seat

    /** The serial that the seats are about: what was entered last, or what is in use. */
    std::string serialOfSeats() const;

    /** With the mutex held. */
    void forgetSeats();

    /** Says why, and forgets a confirmation that is worth nothing more: its time is over, or it was not made by the
     * owner's email. */
    void noteOfSeats (const Reply&);

    std::string confirmed() const;

    /** What shows that this computer has a seat of the serial: with it the seats are listed without a code. */
    std::string seatToken (const Record&) const;

    JsonWriter aboutSeats (const std::string& machine) const;

    /** The same, with what shows that the seats are the customer's. */
    JsonWriter withProof() const;

    void sendCode();
    void listSeats();
    void releaseSeat();
    static std::vector<Seat> seatsIn (const JsonObject& answer);

    //==================================================================================================================
    // license_updates.cpp: newer versions

    /** False when it is not due, or another host asks. Nothing of the customer's is sent, and a failure is not spoken
     * of. */
    bool lookForUpdate (bool isWanted);

    /** What an answer says of the newest version, if it is newer than this one. */
    Update updateIn (const JsonObject& answer) const;

    //==================================================================================================================
    // license_answers.cpp: what is taken from answers, and said of them

    /** Takes what a good answer says, unless its token is not for this product on this computer: then all stays as it
     * was. */
    bool accept (const Reply&, const std::string& serial, bool isTrial);

    /** The license has ended on this computer: another one, which another host activated meanwhile, has not. */
    void lose (const Reply&, const std::string& serial);

    /** Of a check that nobody asked for, only what matters is said: a license that is good needs no network. */
    void noteCheck (Notice, const Reply&, bool isWanted);

    void note (Notice, const Reply&);

    /** Called with the mutex held. */
    void clearNotice();

    /** Up to an hour, by chance: the machines of a studio do not ask all at once. */
    static Seconds jitter();

    /** What may be opened or drawn: HTTPS, or this computer itself, without anything that is not of an address. */
    static bool isAddress (std::string_view text);

    /** A text for a screen: one line, of a bounded length, and UTF-8 because it comes of JSON. */
    static std::string shortened (const std::string& text, std::size_t most);

    //==================================================================================================================
    const Config config;
    const Parts parts;
    const std::vector<std::string> ids;
    std::atomic<bool> isClosing { false };
    mutable Store store;
    HttpCaller caller;
    Seconds ownNextCheck = 0, ownNextUpdate = 0; // the worker's own
    Busy doing = Busy::no;                       // likewise

    mutable std::mutex mutex; // of what follows
    std::condition_variable wake;
    View view;
    std::deque<Busy> jobs;
    std::string wantedSerial, wantedEmail, wantedCode, wantedSeat;
    std::string confirmedCode; // of a page that was confirmed while all seats were taken
    std::uint64_t knownStamp = 0;
    OnLoss onLoss = OnLoss::finish;
    bool wasUnlocked = false, isReleased = false, isAwake = false, isPoked = false, isGivenUp = false;
    int editors = 0;

    std::mutex listenerMutex; // of what follows
    Listener listener = nullptr;
    void* listenerContext = nullptr;

    Thread worker;
};

TONEROW_END
