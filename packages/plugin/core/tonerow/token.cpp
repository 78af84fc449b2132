// SPDX-License-Identifier: ISC
#include "token.h"

#include "json.h"
#include "sha256.h"
#include "text.h"

#include <algorithm>

TONEROW_BEGIN

namespace
{

std::optional<JsonObject> decodeObject (std::string_view part)
{
    const auto bytes = fromBase64Url (part);

    if (! bytes)
        return std::nullopt;

    return JsonObject::parse (std::string (bytes->begin(), bytes->end()));
}

Verdict no (Problem problem)
{
    Verdict verdict;
    verdict.problem = problem;
    return verdict;
}

AnswerVerdict noAnswer (Problem problem)
{
    AnswerVerdict verdict;
    verdict.problem = problem;
    return verdict;
}

/** What is wrong with a signature of the key `kid` over a text. */
Problem checkSignature (std::string_view text,
                        std::string_view base64url,
                        std::string_view kid,
                        const std::vector<PublicKey>& keys,
                        const Verifier& verifier)
{
    const auto key = std::find_if (keys.begin(), keys.end(), [&] (const auto& each) { return each.kid == kid; });
    const auto publicKey = key == keys.end() ? std::nullopt : fromBase64Url (key->x);

    if (! publicKey || publicKey->size() != 32)
        return Problem::unknownKey;

    const auto signature = fromBase64Url (base64url);
    const auto isGood = signature && signature->size() == 64 && verifier.verify (text, *signature, *publicKey);
    return isGood ? Problem::none : Problem::signature;
}

struct SignatureHeader
{
    std::string base64url, kid;
};

/** Reads "ed25519=<base64>; kid=<key id>". */
std::optional<SignatureHeader> readSignatureHeader (std::string_view header)
{
    constexpr std::string_view begin = "ed25519=", middle = "==; kid=";
    constexpr std::size_t length = 86; // of 64 bytes, without their padding
    constexpr auto middleAt = begin.size() + length, kidAt = middleAt + middle.size();

    if (header.size() <= kidAt || header.size() > kidAt + 200 || header.substr (0, begin.size()) != begin
        || header.substr (middleAt, middle.size()) != middle)
        return std::nullopt;

    SignatureHeader parts { std::string (header.substr (begin.size(), length)), std::string (header.substr (kidAt)) };

    if (! isAlphanumericOr ("+/", parts.base64url) || ! isAlphanumericOr ("-_", parts.kid))
        return std::nullopt;

    std::replace (parts.base64url.begin(), parts.base64url.end(), '+', '-');
    std::replace (parts.base64url.begin(), parts.base64url.end(), '/', '_');
    return parts;
}

/** A clock that is so slow refuses no token that the server has just signed. */
constexpr Seconds slowClock = 600;

OnLoss onLossOf (const JsonObject& claims)
{
    const auto loss = claims.text ("loss");
    return loss == "mute" ? OnLoss::mute : loss == "bypass" ? OnLoss::bypass : OnLoss::finish;
}

/** Judges a correctly signed unlock for good. No clock has a part in it: it has to last longer than any battery of one.
 */
Verdict judgeForGood (const JsonObject& claims, const Expectation& expected)
{
    const auto issuedAt = claims.integer ("iat");

    if (! issuedAt || ! claims.isTrue ("unlock") || claims.text ("sub").empty() || claims.text ("aud").empty())
        return no (Problem::malformed);

    if (claims.text ("aud") != expected.productId)
        return no (Problem::wrongProduct);

    Verdict verdict;
    verdict.productId = claims.text ("aud");
    verdict.issuedAt = *issuedAt;
    verdict.expiresAt = endless;
    verdict.isForGood = true;
    return verdict;
}

/** Judges correctly signed claims for this machine, product and time. */
Verdict judge (const JsonObject& claims, const Expectation& expected)
{
    const auto isText = [&] (const char* name)
    {
        const auto* value = claims.find (name);
        return value != nullptr && value->kind == JsonValue::Kind::text;
    };
    const auto* end = claims.find ("lic");
    const auto iat = claims.integer ("iat"), exp = claims.integer ("exp"), lic = claims.integer ("lic");
    const auto isEndless = end == nullptr || end->kind == JsonValue::Kind::null;

    if (! isText ("sub") || ! isText ("aud") || ! isText ("mid") || ! iat || ! exp || ! (lic || isEndless))
        return no (Problem::malformed);

    if (claims.text ("aud") != expected.productId)
        return no (Problem::wrongProduct);

    const auto mid = claims.text ("mid");
    const auto machine = std::find_if (expected.machineIds.begin(),
                                       expected.machineIds.end(),
                                       [&] (const auto& id) { return ! id.empty() && sha256Hex (id) == mid; });

    if (machine == expected.machineIds.end())
        return no (Problem::wrongMachine);

    Verdict verdict;
    verdict.serialId = claims.text ("sub");
    verdict.productId = claims.text ("aud");
    verdict.machineId = *machine;
    verdict.issuedAt = *iat;
    verdict.expiresAt = *exp;
    verdict.licenseEndsAt = lic;
    verdict.isTrial = claims.isTrue ("trial");
    verdict.onLoss = onLossOf (claims);
    verdict.releaseHash = claims.text ("rel");

    // what is known about it stays: a screen names the day on which it ended
    if (*iat - std::max (expected.clockSkew, slowClock) > expected.now)
        verdict.problem = Problem::notYetValid;
    else if (verdict.endsAt() + expected.clockSkew <= expected.now)
        verdict.problem = Problem::expired;

    return verdict;
}

} // namespace

const char* nameOf (Problem problem) noexcept
{
    switch (problem)
    {
        case Problem::none:
            return "none";
        case Problem::malformed:
            return "malformed";
        case Problem::algorithm:
            return "algorithm";
        case Problem::unknownKey:
            return "unknown_key";
        case Problem::signature:
            return "signature";
        case Problem::wrongProduct:
            return "wrong_product";
        case Problem::wrongMachine:
            return "wrong_machine";
        case Problem::expired:
            return "expired";
        case Problem::notYetValid:
            return "not_yet_valid";
        case Problem::isUnsigned:
            return "unsigned";
        case Problem::wrongNonce:
            return "wrong_nonce";
        case Problem::tooOld:
            return "too_old";
        case Problem::tooNew:
            return "too_new";
    }

    return "malformed";
}

std::optional<UpdateFile> verifyUpdate (std::string_view token,
                                        const std::vector<PublicKey>& keys,
                                        std::string_view productId,
                                        const Verifier& verifier)
{
    if (token.size() > mostTokenBytes)
        return std::nullopt;

    const auto first = token.find ('.'), last = token.rfind ('.');

    if (first == std::string_view::npos || first == last || token.find ('.', first + 1) != last)
        return std::nullopt;

    const auto header = decodeObject (token.substr (0, first));

    if (! header || header->has ("crit") || header->text ("alg") != "EdDSA"
        || header->text ("typ") != "tonerow-update+jwt"
        || checkSignature (token.substr (0, last), token.substr (last + 1), header->text ("kid"), keys, verifier)
               != Problem::none)
        return std::nullopt;

    const auto claims = decodeObject (token.substr (first + 1, last - first - 1));

    if (! claims || claims->text ("aud") != productId)
        return std::nullopt;

    UpdateFile file {
        claims->text ("ver"), claims->text ("file"), claims->text ("sha256"), claims->integer ("size").value_or (-1)
    };
    const auto isHex =
        file.sha256.size() == 64
        && std::all_of (file.sha256.begin(),
                        file.sha256.end(),
                        [] (char each) { return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f'); });

    if (file.version.empty() || ! isHex || file.size < 0)
        return std::nullopt;

    return file;
}

Verdict verifyLicense (std::string_view token,
                       const std::vector<PublicKey>& keys,
                       const Expectation& expected,
                       const Verifier& verifier)
{
    if (token.size() > mostTokenBytes)
        return no (Problem::malformed);

    const auto firstDot = token.find ('.');
    const auto secondDot = firstDot == std::string_view::npos ? firstDot : token.find ('.', firstDot + 1);
    const auto head = token.substr (0, firstDot);
    const auto signedText = token.substr (0, secondDot);
    const auto body = firstDot == std::string_view::npos ? std::string_view() : signedText.substr (firstDot + 1);
    const auto tail = secondDot == std::string_view::npos ? std::string_view() : token.substr (secondDot + 1);
    const auto header = decodeObject (head);

    // RFC 7515: a token with a critical extension that we don't know must be rejected
    if (! header || body.empty() || tail.find ('.') != std::string_view::npos || header->has ("crit"))
        return no (Problem::malformed);

    // pinned and checked first: the token must never choose its own algorithm
    if (header->text ("alg") != "EdDSA")
        return no (Problem::algorithm);

    const auto isForGood = header->text ("typ") == "unlock+jwt";

    // another kind of thing that the same key may sign one day is no license
    if (header->has ("typ") && header->text ("typ") != "JWT" && ! isForGood)
        return no (Problem::malformed);

    const auto* kid = header->find ("kid");

    if (kid == nullptr || kid->kind != JsonValue::Kind::text)
        return no (Problem::unknownKey);

    const auto problem = checkSignature (signedText, tail, kid->text, keys, verifier);

    if (problem != Problem::none)
        return no (problem);

    const auto claims = decodeObject (body);

    if (! claims)
        return no (Problem::malformed);

    return isForGood ? judgeForGood (*claims, expected) : judge (*claims, expected);
}

AnswerVerdict
verifyAnswer (const Answer& answer, const std::vector<PublicKey>& keys, const Question& asked, const Verifier& verifier)
{
    constexpr Seconds tolerance = 300;

    if (answer.signature.empty())
        return noAnswer (Problem::isUnsigned);

    const auto header = readSignatureHeader (answer.signature);
    const auto date = toNumber (answer.date);

    if (! header || ! date || ! isAlphanumericOr ("-_", answer.nonce))
        return noAnswer (Problem::malformed);

    // with the nonce that it names, to distinguish an answer to another question from a forged one
    const auto text =
        asked.method + '\n' + asked.path + '\n' + sha256Hex (answer.body) + '\n' + answer.date + '\n' + answer.nonce;
    const auto problem = checkSignature (text, header->base64url, header->kid, keys, verifier);

    if (problem != Problem::none)
        return noAnswer (problem);

    if (answer.nonce != asked.nonce)
        return noAnswer (Problem::wrongNonce);

    AnswerVerdict verdict;
    verdict.keyId = header->kid;
    verdict.signedAt = *date;

    if (asked.now - verdict.signedAt > tolerance)
        verdict.problem = Problem::tooOld;
    else if (verdict.signedAt - asked.now > tolerance)
        verdict.problem = Problem::tooNew;

    return verdict;
}

void completeAnswer (Answer& answer, std::string_view isSigned, std::string_view nonce)
{
    constexpr std::string_view begin = "date=";
    const auto separator = isSigned.find ("; ");

    if (separator != std::string_view::npos && isSigned.substr (0, begin.size()) == begin)
    {
        if (answer.date.empty())
            answer.date = isSigned.substr (begin.size(), separator - begin.size());

        if (answer.signature.empty())
            answer.signature = isSigned.substr (separator + 2);
    }

    // the signature is over it, so a wrong one is found
    if (answer.nonce.empty())
        answer.nonce = nonce;
}

namespace
{

/** The unlock for good as the server gives it: an object with a token, and what it is for. */
std::string tokenInObject (std::string_view text)
{
    const auto object = JsonObject::parse (std::string (text));
    return object ? object->text ("token") : std::string();
}

} // namespace

std::string tokenIn (std::string_view licenseFile)
{
    constexpr std::string_view begin = "-----BEGIN TONEROW LICENSE-----", end = "-----END TONEROW LICENSE-----";
    constexpr std::size_t mostBytes = 256 * 1024;

    if (licenseFile.size() > mostBytes)
        return {};

    // an editor may have put a mark of its encoding before it
    constexpr std::string_view mark = "\xef\xbb\xbf";
    const auto text =
        trimmed (licenseFile.substr (0, mark.size()) == mark ? licenseFile.substr (mark.size()) : licenseFile);

    if (! text.empty() && text.front() == '{')
        return tokenInObject (text);

    const auto first = licenseFile.find (begin);
    const auto last = first == std::string_view::npos ? first : licenseFile.find (end, first + begin.size());

    if (last == std::string_view::npos)
        return {};

    auto body = licenseFile.substr (first + begin.size(), last - first - begin.size());
    std::string token;

    // the token's lines are those without a colon
    while (! body.empty())
    {
        const auto length = std::min (body.find ('\n'), body.size());
        const auto line = trimmed (body.substr (0, length));
        body.remove_prefix (std::min (length + 1, body.size()));

        if (line.find (':') == std::string_view::npos)
            token += line;
    }

    return token;
}

TONEROW_END
