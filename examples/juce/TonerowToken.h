// Verifies Tonerow's validation tokens without the network. Plain C++17, no JUCE: it can be tested anywhere.
//
// The signature is Ed25519. Say in your build which library checks it:
//   TONEROW_USE_SODIUM=1    libsodium (ISC licence, small, builds for every platform)
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

/** One entry of GET /api/license/v1/jwks: `kid`, and `x` as it stands there. */
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

    /** SHA-256 in lower-case hexadecimal. */
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
    notYetValid
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

} // namespace tonerow
