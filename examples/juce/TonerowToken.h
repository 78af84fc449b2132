// SPDX-License-Identifier: ISC
// Verifies Tonerow's validation tokens without the network, and its server's responses from those of a spoofed one.
// Plain C++17, no JUCE: it can be tested anywhere.
//
// The signature is Ed25519. Define in your build which library checks it:
//   TONEROW_USE_SODIUM=1    libsodium (ISC license, small, builds for every platform)
//   TONEROW_USE_OPENSSL=1   OpenSSL 1.1.1 or newer
//   TONEROW_OWN_VERIFIER=1  your own: write tonerow::createSignatureVerifier() yourself
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tonerow
{

/** One entry of GET /api/license/v1/jwks: `kid`, and `x`, unchanged. */
struct PublicKey
{
    std::string kid;
    std::string x;
};

using Bytes = std::vector<std::uint8_t>;

/** What a cryptographic library has to do. */
class SignatureVerifier
{
public:
    virtual ~SignatureVerifier() = default;

    /** Whether this Ed25519 signature (64 bytes) of the message was made by the owner of this key (32 bytes). */
    virtual bool verify (const std::string& message, const Bytes& signature, const Bytes& publicKey) const = 0;

    /** SHA-256 in lower-case hexadecimal. The text may hold any bytes. */
    virtual std::string sha256 (const std::string& text) const = 0;
};

std::unique_ptr<SignatureVerifier> createSignatureVerifier();

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
const char* nameOf (Problem);

/** Times are seconds since 1970. */
struct Verdict
{
    Problem problem = Problem::none;
    std::string serialId; // for a trial, the trial's id
    std::string productId;
    std::int64_t issuedAt = 0;
    std::int64_t expiresAt = 0; // when the machine has to ask the server again
    std::optional<std::int64_t> licenseEndsAt;
    bool trial = false;

    bool isValid() const noexcept { return problem == Problem::none; }
};

struct Expectation
{
    std::string productId;
    std::string machineId; // as it was sent to `activate`
    std::int64_t now = 0;
    std::int64_t clockSkewSeconds = 300; // how wrong the machine's clock may be
};

Verdict verifyLicense (const std::string& token,
                       const std::vector<PublicKey>& keys,
                       const Expectation& expected,
                       const SignatureVerifier& verifier);

/** What came back: the body, byte by byte, and three headers, empty where they are missing. */
struct Answer
{
    std::string body;
    std::string signature; // X-Tonerow-Signature
    std::string date; // X-Tonerow-Date
    std::string nonce; // X-Tonerow-Nonce
};

/** What was asked. */
struct Question
{
    std::string method; // in capitals
    std::string path; // as the server got it, without its query: "/api/license/v1/validate"
    std::string nonce; // what was sent as X-Tonerow-Nonce
    std::int64_t now = 0;
};

struct AnswerVerdict
{
    Problem problem = Problem::none;
    std::string keyId;
    std::int64_t signedAt = 0;

    bool isValid() const noexcept { return problem == Problem::none; }
};

/** A new X-Tonerow-Nonce, for one request: 128 random bits. */
std::string createNonce();

/** Whether an answer, yes or no, is the server's own: signed by one of these keys, for this question, within five minutes
    of now. The HTTP status is not signed, so decide by the body. The server does not sign refusals of an unknown plugin
    key (401) or for a rate (429): take what is unsigned for no answer at all.

    The date is looked at last: with tooOld and tooNew, all the rest was right.
*/
AnswerVerdict verifyAnswer (const Answer& answer,
                            const std::vector<PublicKey>& keys,
                            const Question& asked,
                            const SignatureVerifier& verifier);

} // namespace tonerow
