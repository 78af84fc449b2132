// SPDX-License-Identifier: ISC
// The license of one product on this computer.
//
//   constructor    reads and verifies what is stored: no network, no waiting, no thread. Unlocked at the first block.
//   audio thread   isUnlocked(), loss() and processed(): atomics alone
//   one worker     starts with the first thing that there is to do, and ends within 200 ms in the destructor
//
// Only a signed token unlocks, and only an answer that is signed for our own question locks. All else changes nothing.
#pragma once

#include "base.h"
#include "http.h"
#include "store.h"
#include "system.h"
#include "token.h"

#include <atomic>
#include <memory>

TONEROW_BEGIN

/** What the developer of a plugin fills in. */
struct Config
{
    std::string server;    // without a slash at the end
    std::string pluginKey; // it ships in the plugin: it may do nothing but license
    std::string productId;
    std::string productName;
    std::string developerId;
    std::string developer; // whose folder the license is stored in
    std::string version;
    std::vector<PublicKey> keys;  // GET /api/license/v1/jwks?dev=…: without them nothing unlocks
    bool looksForUpdates = false; // once a day while an editor is open
    std::string redemptionPage;   // where customers redeem serials and see their computers: the panel links to it
};

/** What a plugin before this one stored in another place. */
struct Older
{
    std::string serial, token, lease;
};

/** What the core is built from. Tests and unusual hosts bring their own. */
struct Parts
{
    std::shared_ptr<const Verifier> verifier;
    std::shared_ptr<Http> http;
    std::shared_ptr<const Clock> clock;
    Places places;
    std::vector<std::string> systemIds;
    std::vector<std::string> olderMachineIds; // what earlier versions of the plugin sent for this computer
    std::string os;                           // for the customer's list of machines
    std::string arch;                         // which build a newer version has to be: "x86_64"
    std::string label;                        // likewise: empty, or a name that the customer chose
    Older older; // counts while nothing is stored here, and is stored at the first occasion
    HttpLimits limits;

    /** All but the network. */
    static Parts ofThisSystem();
};

enum class State
{
    unlicensed,
    trial,
    trialEnded,
    active,
    leased,    // by a license file
    checkSoon, // unlocked, but the server has not been reached for long
    expired,   // the server has to be asked, or the license file has ended
    revoked,
    otherMachine,  // the stored license is another computer's
    misconfigured, // the developer has not filled in all of Config
    forGood        // the developer gave the product up, and unlocked it for everybody
};

enum class Busy
{
    no,
    activating,
    startingTrial,
    checking,
    releasing,
    browsing,      // until somebody answers in a browser: see View::page
    sendingCode,   // to the owner, by email
    listingSeats,  // of the serial that was entered last
    releasingSeat, // another computer's
    lookingForUpdate
};

/** What there is to say besides the state. `View::status` and `View::message` have what the server refused. */
enum class Notice
{
    none,
    refused,       // by the server: see status and message
    canceled,      // by the customer
    unreachable,   // no network, or no server there
    tooSlow,       // nothing complete within 30 seconds
    notGenuine,    // somebody answered, but not the license server
    busyServer,    // it has trouble, or there were too many questions
    unknownPlugin, // the plugin key is not known there
    clockIsWrong,  // this computer's clock
    emptySerial,
    wrongFile,   // no license file, or not for this product on this computer
    expiredFile, // a license file that has ended
    leaseLonger, // a license file that ends later is in use
    spentFile,   // it was released, or is for another machine file: this computer needs a new one
    noChance     // the system has no random numbers
};

/** Where somebody confirms that this computer may have a license: the address, and the code to compare or enter there.
 */
struct Page
{
    std::string address; // with the code in it
    std::string code;

    bool isOpen() const noexcept { return ! address.empty(); }
};

/** A computer that holds a seat. */
struct Seat
{
    std::string id, name, lastSeen; // the last is a day: "2026-03-10"
    bool isThis = false;
};

/** A version that is newer than this one. */
struct Update
{
    std::string version, notes, link;
    std::optional<UpdateFile> file; // for this system; a program that downloads it opens nothing that differs

    bool isThere() const noexcept { return ! version.empty(); }
};

/** The last question that was refused or failed, for whoever helps. */
struct Attempt
{
    Busy what = Busy::no;
    std::string host;      // "licenses.example.com"; empty when nothing was asked
    int httpStatus = 0;    // 0 when there was no answer
    std::string requestId; // the server's
    Seconds at = 0;        // by this computer's clock

    bool isThere() const noexcept { return ! host.empty(); }
};

struct View
{
    State state = State::unlicensed;
    Busy busy = Busy::no;
    Notice notice = Notice::none;
    bool isUnlocked = false;
    bool isFinishing = false; // lost, but this session goes on
    int daysLeft = 0;         // of a trial or a license file, or until the server has to be asked
    int seatsUsed = 0, seatsMax = 0;
    Seconds endsAt = 0;
    std::string status;  // the server's, of the last refusal: "seat_limit"
    std::string message; // its words
    Attempt attempt;     // what was asked when there is a notice of the server or the network
    std::string serialMasked;
    std::string machineId;
    FileTrouble storeTrouble; // the license holds for this session, but was not stored
    Page page;
    std::vector<Seat> seats; // what `listSeats` found
    bool isCodeSent = false; // to the owner's email address
    bool areSeatsKnown = false;
    bool isReleasable = false; // by `releaseOffline`
    bool isReleased = false;   // it was: `releaseOffline` returns the same proof once more
    Update update;
    std::uint32_t revision = 0;
};

/** One per product, shared by all instances in a binary. */
class License
{
public:
    License (Config, Parts);
    ~License();

    License (const License&) = delete;
    License& operator= (const License&) = delete;

    /** Any thread: one atomic load. */
    bool isUnlocked() const noexcept;

    /** Any thread: what to do with sound while it is locked, when it was lost in this session. */
    OnLoss loss() const noexcept;

    /** The audio thread: so much was processed. */
    void processed (std::size_t samples, double sampleRate) noexcept;

    /** From here on, not on the audio thread. None of these waits for the network. */
    View view() const;

    /** Changes whenever the view does. */
    std::uint32_t revision() const noexcept;

    /** About once per second, where the host calls a plugin at all: begins the daily check once five seconds were
     * processed. */
    void tick();

    void editorOpened();
    void editorClosed();

    void activate (std::string serial, std::string email);
    /** By a code that somebody confirms in a browser, on this computer or on a phone: the page is in the view. */
    void activateInBrowser();
    void startTrial();
    void checkNow();
    void cancel();
    /** The same again that was refused, or failed. */
    void tryAgain();
    /** What was refused, or failed, has been read. */
    void forgetNotice();

    /** When all seats are taken: sends a code to the owner's email address, lists the computers that hold a seat with
       that code, and releases one of them; then it activates again. For the serial that was entered last, or the one in
       use. After a page was confirmed, which shows the owner too, no code is sent, and the list is there at once. A
       computer that has a seat lists all of them without a code, and releases its own. */
    void sendSeatsCode();
    void listSeats (std::string code);
    void releaseSeat (std::string seatId);

    /** Asks for a newer version now. */
    void lookForUpdate();

    /** Gives this computer's seat back. */
    void release();

    /** For a computer without a network: what the owner needs to get a license file for it. Call it when somebody asks
       for it, because it stores a secret of this computer, by which that license file can be released. */
    std::string machineFile() const;
    /** The same without storing anything: often without that secret. */
    std::string peekMachineFile() const;

    /** Takes the text of a license file. What is wrong with it otherwise; then it changes nothing. */
    Notice readLicenseFile (std::string_view text);

    /** Gives up the license file on this computer for good, and returns the text of a release file, with which its seat
       is free at once. This computer takes that license file never again. The same text once more where that was done
       before; empty where there is nothing to release, or where that could not be stored: see View::storeTrouble. */
    std::string releaseOffline();

    /** For support: neither serial nor names. */
    std::string diagnostics() const;

    /** Called on the worker when the view has changed. After `removeListener` it is not running, and not called again.
     */
    using Listener = void (*) (void*);
    void setListener (Listener, void* context);
    void removeListener();

private:
    class Impl;

    const std::unique_ptr<Impl> impl;
};

/** Whether anything is stored for this product: what an older plugin stored elsewhere does not have to be looked for.
 */
bool isStored (const Config&, const Places&);

const char* nameOf (State) noexcept;
const char* nameOf (Notice) noexcept;

/** Whether a version is newer than another: number by number, and nothing that is no version is newer. */
bool isNewerVersion (std::string_view version, std::string_view than) noexcept;

/** Whether bytes are what the developer's key signed the hash of: nothing else may be opened as an update. */
bool isUpdateFile (const UpdateFile&, std::string_view bytes);

TONEROW_END
