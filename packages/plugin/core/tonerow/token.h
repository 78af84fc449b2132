// SPDX-License-Identifier: ISC
// Validation tokens and signed answers, judged without the network.
#pragma once

#include "base.h"
#include "verifier.h"

#include <optional>
#include <string_view>

TONEROW_BEGIN

/** One entry of GET /api/license/v1/jwks: `kid`, and `x`, unchanged. */
struct PublicKey
{
    std::string kid;
    std::string x;
};

enum class Problem
{
    none,
    malformed,
    algorithm,
    unknownKey,
    signature,
    wrongProduct,
    wrongMachine,
    expired,
    notYetValid,
    // of answers only
    isUnsigned,
    wrongNonce,
    tooOld,
    tooNew
};

/** As Tonerow's other verifiers call it: "wrong_machine". */
const char* nameOf (Problem) noexcept;

/** What happens to sound when a license is lost while the plugin runs. */
enum class OnLoss
{
    finish, // the session goes on until the plugin is closed
    bypass,
    mute
};

struct Verdict
{
    Problem problem = Problem::none;
    std::string serialId; // for a trial, the trial's id
    std::string productId;
    std::string machineId; // which of the machine's ids it is for
    Seconds issuedAt = 0;
    Seconds expiresAt = 0; // when the machine has to ask the server again
    std::optional<Seconds> licenseEndsAt;
    bool isTrial = false;
    bool isForGood = false; // an unlock for good: of every computer, without an end
    OnLoss onLoss = OnLoss::finish;
    std::string releaseHash; // of a license file that can be released before its end: SHA-256 of this computer's secret

    bool isValid() const noexcept { return problem == Problem::none; }

    /** When it ends by itself, whatever comes first. */
    Seconds endsAt() const noexcept { return licenseEndsAt && *licenseEndsAt < expiresAt ? *licenseEndsAt : expiresAt; }
};

struct Expectation
{
    std::string productId;
    std::vector<std::string> machineIds; // all that this machine has been known by; one match is enough
    Seconds now = 0;
    Seconds clockSkew = 300; // how wrong the machine's clock may be
};

/** The end of what has none: the last second of the year 9999. */
constexpr Seconds endless = 253402300799;

/** No token of ours is longer. */
constexpr std::size_t mostTokenBytes = 8 * 1024;

/** Judges a token, or an unlock for good, which is a token of the type "unlock+jwt": a developer who gives a product up
   signs it for the product, and it asks for no computer, no server and no clock. Its type keeps it from being taken for
   a license by verifiers that do not know it. */
Verdict verifyLicense (std::string_view token,
                       const std::vector<PublicKey>& keys,
                       const Expectation& expected,
                       const Verifier& verifier);

/** A file that replaces the plugin, as the developer's key signed it. */
struct UpdateFile
{
    std::string version, name, sha256; // the last in lower-case hexadecimal
    std::int64_t size = 0;
};

/** What the signature of an update says, a token of the type "tonerow-update+jwt"; nothing when it is not good, or
   another product's. */
std::optional<UpdateFile> verifyUpdate (std::string_view token,
                                        const std::vector<PublicKey>& keys,
                                        std::string_view productId,
                                        const Verifier& verifier);

/** What came back: the body, byte by byte, and three headers, empty where they are missing. */
struct Answer
{
    std::string body;
    std::string signature; // X-Tonerow-Signature
    std::string date;      // X-Tonerow-Date
    std::string nonce;     // X-Tonerow-Nonce
};

/** What was asked. */
struct Question
{
    std::string method; // in capitals
    std::string path;   // as the server got it, without its query: "/api/license/v1/validate"
    std::string nonce;  // what was sent as X-Tonerow-Nonce
    Seconds now = 0;
};

struct AnswerVerdict
{
    Problem problem = Problem::none;
    std::string keyId;
    Seconds signedAt = 0;

    bool isValid() const noexcept { return problem == Problem::none; }

    /** Whether it is the server's answer to this question, at any time. A nonce is used once, so nothing older has it,
       and a wrong clock must not lock a customer out. */
    bool isGenuine() const noexcept
    {
        return problem == Problem::none || problem == Problem::tooOld || problem == Problem::tooNew;
    }
};

/** Whether an answer, yes or no, is the server's own: signed by one of these keys, for this question, within five
   minutes of now. The HTTP status is not signed, so decide by the body. The server does not sign refusals of an unknown
   plugin key (401) or for a rate (429): take what is unsigned for no answer at all.

    The date is looked at last: with tooOld and tooNew, all the rest was right.
*/
AnswerVerdict verifyAnswer (const Answer& answer,
                            const std::vector<PublicKey>& keys,
                            const Question& asked,
                            const Verifier& verifier);

/** Puts back what a client loses that drops the first header of an answer, as JUCE 7 does on Linux: X-Tonerow-Signed
   has the date and the signature again. */
void completeAnswer (Answer& answer, std::string_view isSigned, std::string_view nonce);

/** The token in the text of a license file, or in a key file that has one; empty when there is none. */
std::string tokenIn (std::string_view licenseFile);

TONEROW_END
