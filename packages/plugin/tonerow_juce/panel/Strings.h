// SPDX-License-Identifier: ISC
#pragma once

TONEROW_BEGIN

/** Every text of the panel, and nothing else. {product}, {days}, {serial}, {used}, {max}, {code}, {seat}, {day},
   {version}, {notes}, {path}, {reason}, {host}, {answer}, {time} and {request} are filled in; in `date`, {number},
   {month} and {year}. */
struct StringFields
{
    // what everybody sees first
    juce::String welcomeTitle;
    juce::String welcomeBody;
    juce::String serial;
    juce::String email;
    juce::String activate;
    juce::String paste;
    juce::String browser;
    juce::String startTrial;
    juce::String offline;
    juce::String redeem;
    juce::String back;
    juce::String cancel;
    juce::String done;
    juce::String tryAgain;
    juce::String working;
    juce::String successTitle;
    juce::String successBody;
    // a browser, on this computer or on a phone
    juce::String browserTitle;
    juce::String browserBody;
    juce::String openBrowser;
    juce::String copyAddress;
    juce::String qrCode;
    // trials
    juce::String trialTitle;
    juce::String trialBody;
    juce::String trialEndedTitle;
    juce::String trialEndedBody;
    // all computers in use, and another one released
    juce::String seatsTitle;
    juce::String seatsBody;
    juce::String releaseAnother;
    juce::String seatsCodeTitle;
    juce::String seatsCodeBody;
    juce::String code;
    juce::String showSeats;
    juce::String sendAgain;
    juce::String seatsListTitle;
    juce::String seatsListBody;
    juce::String seatsNone;
    juce::String seat;
    juce::String confirmSeatTitle;
    juce::String confirmSeatBody;
    juce::String releaseSeat;
    // computers without internet
    juce::String offlineTitle;
    juce::String offlineBody;
    juce::String saveMachineFile;
    juce::String loadFile;
    juce::String pasteFile;
    juce::String giveUpBody;
    juce::String releasedTitle;
    juce::String releasedBody;
    juce::String saveReleaseFile;
    juce::String copyReleaseFile;
    // what is licensed
    juce::String detailsTitle;
    juce::String detailsBody;
    juce::String leasedBody;
    juce::String forGoodTitle;
    juce::String forGoodBody;
    juce::String release;
    juce::String releaseTitle;
    juce::String releaseBody;
    juce::String copyDiagnostics;
    // what ends, or has ended
    juce::String checkSoonTitle;
    juce::String checkSoonBody;
    juce::String checkNow;
    juce::String expiredTitle;
    juce::String expiredBody;
    juce::String endedTitle;
    juce::String endedBody;
    juce::String revokedTitle;
    juce::String revokedBody;
    juce::String finishing;
    juce::String otherTitle;
    juce::String otherBody;
    juce::String misconfiguredTitle;
    juce::String misconfiguredBody;
    // a newer version
    juce::String updateButton;
    juce::String updateTitle;
    juce::String updateBody;
    juce::String openUpdate;
    // what went wrong, and what to do
    juce::String unreachable;
    juce::String tooSlow;
    juce::String notGenuine;
    juce::String busyServer;
    juce::String unknownPlugin;
    juce::String clockIsWrong;
    juce::String emptySerial;
    juce::String wrongFile;
    juce::String expiredFile;
    juce::String leaseLonger;
    juce::String spentFile;
    juce::String noChance;
    juce::String notStored;
    juce::String notStoredAnywhere;
    juce::String reasonDenied;
    juce::String reasonReadOnly;
    juce::String reasonFull;
    juce::String reasonInUse;
    juce::String reasonNotAFile;
    juce::String reasonNotAFolder;
    juce::String reasonTooLarge;
    juce::String noHttps;
    juce::String notSaved;
    juce::String nothingToPaste;
    // what was tried when something went wrong
    juce::String errorDetails;
    juce::String errorTitle;
    juce::String errorServer;
    juce::String errorAnswer;
    juce::String errorNoAnswer;
    juce::String errorTime;
    juce::String errorRequest;
    // what the server refuses; whatever else it says is shown in its own words
    juce::String refusedNotFound;
    juce::String refusedEmailRequired;
    juce::String refusedEmailMismatch;
    juce::String refusedProduct;
    juce::String refusedRevoked;
    juce::String refusedExpired;
    juce::String refusedTrial;
    juce::String refusedNoTrial;
    juce::String refusedChurn;
    juce::String refusedDenied;
    juce::String refusedCodeExpired;
    juce::String refusedCodeRequired;
    juce::String refusedCode;
    juce::String refusedQuota;
    juce::String refusedNotYet;
    juce::String refusedLeased;
    juce::String refusedNotActivated;
    juce::String refusedToken;
    juce::String refusedRequest;
    // days
    juce::String date;
    juce::String months; // twelve, with commas between them
};

/** The texts in a language. Change what you like:

        auto strings = tonerow::Strings::ofThisSystem();
        strings.successBody = "Now play.";
*/
struct Strings : StringFields
{
    /** English. */
    Strings();

    /** "en", "de", "fr", "es" or "ja", and what comes after a hyphen or an underscore is ignored. English for every
     * other one. */
    static Strings in (const juce::String& language);

    /** In the language of this computer. */
    static Strings ofThisSystem();

    /** The languages that `in` knows. */
    static juce::StringArray languages();

    /** Every text with its name, for translations of your own. */
    void each (const std::function<void (const char* name, juce::String& text)>&);

    /** What the server's status of a refusal means to a customer. Empty for one that is not known. */
    juce::String refusal (const juce::String& status) const;

    /** A day for people; "2026-03-10" is the server's. What is no day stays as it is. */
    juce::String dayFor (const juce::String& serversDay) const;

    /** For Arabic, Hebrew, Persian: everything stands on the right. */
    bool isRightToLeft = false;
};

TONEROW_END
