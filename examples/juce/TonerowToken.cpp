// SPDX-License-Identifier: ISC
#include "TonerowToken.h"

#include <algorithm>
#include <map>
#include <random>

namespace tonerow
{
namespace
{

/** A value of a JSON object. Lists, objects and numbers with a fraction are `other`: none of our claims is one. */
struct Value
{
    enum class Kind { text, integer, boolean, null, other };

    Kind kind = Kind::other;
    std::string text;
    std::int64_t integer = 0;
    bool boolean = false;
};

using Object = std::map<std::string, Value>;

/** Parses one JSON object strictly; returns nothing when it is not one. */
class JsonReader
{
public:
    explicit JsonReader (const std::string& source) : json (source) {}

    std::optional<Object> read()
    {
        Object object;
        skipSpace();
        const auto ok = readObject (&object, 0);
        skipSpace();
        return ok && at == json.size() ? std::optional<Object> (std::move (object)) : std::nullopt;
    }

private:
    static constexpr int deepest = 16;

    bool readObject (Object* into, int depth)
    {
        if (depth > deepest || ! take ('{'))
            return false;

        skipSpace();

        if (take ('}'))
            return true;

        do
        {
            std::string name;
            Value value;
            skipSpace();

            if (! readText (name))
                return false;

            skipSpace();

            if (! take (':') || ! readValue (value, depth))
                return false;

            if (into != nullptr)
                (*into)[name] = std::move (value);
        } while (take (','));

        return take ('}');
    }

    bool readList (int depth)
    {
        if (depth > deepest || ! take ('['))
            return false;

        skipSpace();

        if (take (']'))
            return true;

        do
        {
            Value ignored;

            if (! readValue (ignored, depth))
                return false;
        } while (take (','));

        return take (']');
    }

    bool readValue (Value& value, int depth)
    {
        skipSpace();
        const auto ok = readBareValue (value, depth);
        skipSpace();
        return ok;
    }

    bool readBareValue (Value& value, int depth)
    {
        if (at >= json.size())
            return false;

        switch (json[at])
        {
            case '{': return readObject (nullptr, depth + 1);
            case '[': return readList (depth + 1);
            case '"': value.kind = Value::Kind::text; return readText (value.text);
            case 't': value.kind = Value::Kind::boolean; value.boolean = true; return takeWord ("true");
            case 'f': value.kind = Value::Kind::boolean; return takeWord ("false");
            case 'n': value.kind = Value::Kind::null; return takeWord ("null");
            default:  return readNumber (value);
        }
    }

    // by hand, because strtod takes the decimal point of the host's language
    bool readNumber (Value& value)
    {
        const auto negative = take ('-');
        const auto first = at;
        std::int64_t number = 0;
        auto fits = true;

        for (; at < json.size() && isDigit (json[at]); ++at)
        {
            fits = fits && at - first < 15;
            number = fits ? number * 10 + (json[at] - '0') : 0;
        }

        if (at == first || (json[first] == '0' && at - first > 1))
            return false;

        if (at < json.size() && (json[at] == '.' || json[at] == 'e' || json[at] == 'E'))
        {
            while (at < json.size() && (isDigit (json[at]) || std::string (".eE+-").find (json[at]) != std::string::npos))
                ++at;

            return true;
        }

        if (fits)
        {
            value.kind = Value::Kind::integer;
            value.integer = negative ? -number : number;
        }

        return true;
    }

    bool readText (std::string& text)
    {
        if (! take ('"'))
            return false;

        while (at < json.size())
        {
            const auto c = json[at++];

            if (c == '"')
                return true;

            if (static_cast<unsigned char> (c) < 0x20)
                return false;

            if (c != '\\')
                text += c;
            else if (! readEscape (text))
                return false;
        }

        return false;
    }

    bool readEscape (std::string& text)
    {
        if (at >= json.size())
            return false;

        const auto c = json[at++];

        if (c == 'u')
        {
            std::uint32_t unit = 0, low = 0;

            if (! readUnit (unit))
                return false;

            if (unit >= 0xd800 && unit < 0xdc00 && json.compare (at, 2, "\\u") == 0)
            {
                at += 2;

                if (! readUnit (low) || low < 0xdc00 || low > 0xdfff)
                    return false;

                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            }

            appendUtf8 (text, unit);
            return true;
        }

        static const std::string names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        const auto index = names.find (c);

        if (index == std::string::npos)
            return false;

        text += meanings[index];
        return true;
    }

    bool readUnit (std::uint32_t& unit)
    {
        for (auto i = 0; i < 4; ++i, ++at)
        {
            static const std::string digits = "0123456789abcdef";
            const auto c = at < json.size() ? json[at] : ' ';
            const auto digit = digits.find (c >= 'A' && c <= 'F' ? static_cast<char> (c - 'A' + 'a') : c);

            if (digit == std::string::npos)
                return false;

            unit = unit * 16 + static_cast<std::uint32_t> (digit);
        }

        return true;
    }

    static void appendUtf8 (std::string& text, std::uint32_t c)
    {
        const auto add = [&] (std::uint32_t byte) { text += static_cast<char> (byte); };

        if (c < 0x80)         { add (c); }
        else if (c < 0x800)   { add (0xc0 | (c >> 6)); add (0x80 | (c & 0x3f)); }
        else if (c < 0x10000) { add (0xe0 | (c >> 12)); add (0x80 | ((c >> 6) & 0x3f)); add (0x80 | (c & 0x3f)); }
        else                  { add (0xf0 | (c >> 18)); add (0x80 | ((c >> 12) & 0x3f)); add (0x80 | ((c >> 6) & 0x3f)); add (0x80 | (c & 0x3f)); }
    }

    static bool isDigit (char c) { return c >= '0' && c <= '9'; }

    bool take (char c)
    {
        const auto found = at < json.size() && json[at] == c;
        at += found ? 1 : 0;
        return found;
    }

    bool takeWord (const std::string& word)
    {
        const auto found = json.compare (at, word.size(), word) == 0;
        at += found ? word.size() : 0;
        return found;
    }

    void skipSpace()
    {
        while (at < json.size() && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r'))
            ++at;
    }

    const std::string& json;
    std::size_t at = 0;
};

std::optional<Bytes> decodeBase64Url (const std::string& text)
{
    static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    if (text.size() % 4 == 1)
        return std::nullopt;

    Bytes bytes;
    std::uint32_t pending = 0;
    auto bits = 0;

    for (const auto c : text)
    {
        const auto value = alphabet.find (c);

        if (value == std::string::npos)
            return std::nullopt;

        pending = (pending << 6) | static_cast<std::uint32_t> (value);
        bits += 6;

        if (bits >= 8)
        {
            bits -= 8;
            bytes.push_back (static_cast<std::uint8_t> ((pending >> bits) & 0xff));
        }
    }

    // the same bytes have one spelling
    if ((pending & ((1u << bits) - 1)) != 0)
        return std::nullopt;

    return bytes;
}

std::optional<Object> decodeObject (const std::string& part)
{
    const auto bytes = decodeBase64Url (part);

    if (! bytes)
        return std::nullopt;

    const std::string json (bytes->begin(), bytes->end());
    return JsonReader (json).read();
}

const Value* find (const Object& object, const char* name, Value::Kind kind)
{
    const auto found = object.find (name);
    return found != object.end() && found->second.kind == kind ? &found->second : nullptr;
}

bool isText (const Object& object, const char* name, const std::string& text)
{
    const auto* value = find (object, name, Value::Kind::text);
    return value != nullptr && value->text == text;
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
Problem checkSignature (const std::string& text,
                        const std::string& base64url,
                        const std::string& kid,
                        const std::vector<PublicKey>& keys,
                        const SignatureVerifier& verifier)
{
    const auto key = std::find_if (keys.begin(), keys.end(), [&] (const auto& each) { return each.kid == kid; });
    const auto publicKey = key == keys.end() ? std::nullopt : decodeBase64Url (key->x);

    if (! publicKey || publicKey->size() != 32)
        return Problem::unknownKey;

    const auto signature = decodeBase64Url (base64url);
    const auto good = signature && signature->size() == 64 && verifier.verify (text, *signature, *publicKey);
    return good ? Problem::none : Problem::signature;
}

bool hasOnlyDigits (const std::string& text)
{
    return std::all_of (text.begin(), text.end(), [] (char c) { return c >= '0' && c <= '9'; });
}

bool hasOnlyLettersDigitsAnd (const std::string& others, const std::string& text)
{
    return std::all_of (text.begin(), text.end(), [&] (char c)
    {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || others.find (c) != std::string::npos;
    });
}

struct SignatureHeader
{
    std::string base64url, kid;
};

/** Reads "ed25519=<base64>; kid=<key id>". */
std::optional<SignatureHeader> readSignatureHeader (const std::string& header)
{
    static const std::string begin = "ed25519=", middle = "==; kid=";
    constexpr std::size_t length = 86; // of 64 bytes, without their padding
    const auto middleAt = begin.size() + length, kidAt = middleAt + middle.size();

    if (header.size() <= kidAt || header.compare (0, begin.size(), begin) != 0 || header.compare (middleAt, middle.size(), middle) != 0)
        return std::nullopt;

    SignatureHeader parts { header.substr (begin.size(), length), header.substr (kidAt) };

    if (! hasOnlyLettersDigitsAnd ("+/", parts.base64url) || ! hasOnlyLettersDigitsAnd ("-_", parts.kid))
        return std::nullopt;

    std::replace (parts.base64url.begin(), parts.base64url.end(), '+', '-');
    std::replace (parts.base64url.begin(), parts.base64url.end(), '/', '_');
    return parts;
}

/** A clock that is so slow refuses no token that the server has just signed. */
constexpr std::int64_t slowClockSeconds = 600;

/** Judges correctly signed claims for this machine, product and time. */
Verdict judge (const Object& claims, const Expectation& expected, const SignatureVerifier& verifier)
{
    const auto* sub = find (claims, "sub", Value::Kind::text);
    const auto* aud = find (claims, "aud", Value::Kind::text);
    const auto* mid = find (claims, "mid", Value::Kind::text);
    const auto* iat = find (claims, "iat", Value::Kind::integer);
    const auto* exp = find (claims, "exp", Value::Kind::integer);
    const auto* lic = find (claims, "lic", Value::Kind::integer);
    const auto endless = claims.count ("lic") == 0 || find (claims, "lic", Value::Kind::null) != nullptr;

    if (sub == nullptr || aud == nullptr || mid == nullptr || iat == nullptr || exp == nullptr || ! (lic != nullptr || endless))
        return no (Problem::malformed);

    if (aud->text != expected.productId)
        return no (Problem::wrongProduct);

    if (mid->text != verifier.sha256 (expected.machineId))
        return no (Problem::wrongMachine);

    if (iat->integer - std::max (expected.clockSkewSeconds, slowClockSeconds) > expected.now)
        return no (Problem::notYetValid);

    const auto end = lic != nullptr ? std::min (exp->integer, lic->integer) : exp->integer;

    if (end + expected.clockSkewSeconds <= expected.now)
        return no (Problem::expired);

    Verdict verdict;
    verdict.serialId = sub->text;
    verdict.productId = aud->text;
    verdict.issuedAt = iat->integer;
    verdict.expiresAt = exp->integer;

    if (lic != nullptr)
        verdict.licenseEndsAt = lic->integer;

    const auto* trial = find (claims, "trial", Value::Kind::boolean);
    verdict.trial = trial != nullptr && trial->boolean;
    return verdict;
}

} // namespace

const char* nameOf (Problem problem)
{
    switch (problem)
    {
        case Problem::none:         return "none";
        case Problem::malformed:    return "malformed";
        case Problem::algorithm:    return "algorithm";
        case Problem::unknownKey:   return "unknown_key";
        case Problem::signature:    return "signature";
        case Problem::wrongProduct: return "wrong_product";
        case Problem::wrongMachine: return "wrong_machine";
        case Problem::expired:      return "expired";
        case Problem::notYetValid:  return "not_yet_valid";
        case Problem::isUnsigned:   return "unsigned";
        case Problem::wrongNonce:   return "wrong_nonce";
        case Problem::tooOld:       return "too_old";
        case Problem::tooNew:       return "too_new";
    }

    return "malformed";
}

Verdict verifyLicense (const std::string& token,
                       const std::vector<PublicKey>& keys,
                       const Expectation& expected,
                       const SignatureVerifier& verifier)
{
    const auto firstDot = token.find ('.');
    const auto secondDot = firstDot == std::string::npos ? firstDot : token.find ('.', firstDot + 1);
    const auto head = token.substr (0, firstDot);
    const auto signedText = token.substr (0, secondDot);
    const auto body = firstDot == std::string::npos ? std::string() : signedText.substr (firstDot + 1);
    const auto tail = secondDot == std::string::npos ? std::string() : token.substr (secondDot + 1);
    const auto header = decodeObject (head);

    // RFC 7515: a token with a critical extension that we don't know must be rejected
    if (! header || body.empty() || tail.find ('.') != std::string::npos || header->count ("crit") != 0)
        return no (Problem::malformed);

    // pinned and checked first: the token must never choose its own algorithm
    if (! isText (*header, "alg", "EdDSA"))
        return no (Problem::algorithm);

    const auto* kid = find (*header, "kid", Value::Kind::text);
    const auto problem = kid == nullptr ? Problem::unknownKey : checkSignature (signedText, tail, kid->text, keys, verifier);

    if (problem != Problem::none)
        return no (problem);

    const auto claims = decodeObject (body);
    return claims ? judge (*claims, expected, verifier) : no (Problem::malformed);
}

std::string createNonce()
{
    std::random_device chance; // the operating system's
    std::string nonce;

    while (nonce.size() < 32)
    {
        auto bits = static_cast<std::uint32_t> (chance());

        for (auto digit = 0; digit < 8; ++digit, bits >>= 4)
            nonce += "0123456789abcdef"[bits & 15];
    }

    return nonce;
}

AnswerVerdict verifyAnswer (const Answer& answer,
                            const std::vector<PublicKey>& keys,
                            const Question& asked,
                            const SignatureVerifier& verifier)
{
    constexpr std::int64_t tolerance = 300;

    if (answer.signature.empty())
        return noAnswer (Problem::isUnsigned);

    const auto header = readSignatureHeader (answer.signature);
    const auto hasDate = ! answer.date.empty() && answer.date.size() <= 15 && hasOnlyDigits (answer.date);

    if (! header || ! hasDate || ! hasOnlyLettersDigitsAnd ("-_", answer.nonce))
        return noAnswer (Problem::malformed);

    // with the nonce that it names, to distinguish a response to another request from a forged one
    const auto text = asked.method + '\n' + asked.path + '\n' + verifier.sha256 (answer.body) + '\n' + answer.date + '\n' + answer.nonce;
    const auto problem = checkSignature (text, header->base64url, header->kid, keys, verifier);

    if (problem != Problem::none)
        return noAnswer (problem);

    if (answer.nonce != asked.nonce)
        return noAnswer (Problem::wrongNonce);

    AnswerVerdict verdict;
    verdict.keyId = header->kid;
    verdict.signedAt = std::stoll (answer.date);

    if (asked.now - verdict.signedAt > tolerance)
        verdict.problem = Problem::tooOld;
    else if (verdict.signedAt - asked.now > tolerance)
        verdict.problem = Problem::tooNew;

    return verdict;
}

} // namespace tonerow

#if TONEROW_USE_SODIUM
 #include <sodium.h>
#elif TONEROW_USE_OPENSSL
 #include <openssl/evp.h>
#elif ! TONEROW_OWN_VERIFIER
 #error "Define TONEROW_USE_SODIUM=1, TONEROW_USE_OPENSSL=1 or TONEROW_OWN_VERIFIER=1 (see TonerowToken.h)."
#endif

#if TONEROW_USE_SODIUM || TONEROW_USE_OPENSSL
namespace tonerow
{
namespace
{

std::string toHex (const unsigned char* bytes, std::size_t size)
{
    std::string hex;

    for (std::size_t i = 0; i < size; ++i)
    {
        hex += "0123456789abcdef"[bytes[i] >> 4];
        hex += "0123456789abcdef"[bytes[i] & 15];
    }

    return hex;
}

const unsigned char* bytesOf (const std::string& text)
{
    return reinterpret_cast<const unsigned char*> (text.data());
}

#if TONEROW_USE_SODIUM

struct LibraryVerifier final : SignatureVerifier
{
    bool verify (const std::string& message, const Bytes& signature, const Bytes& publicKey) const override
    {
        return ready && crypto_sign_verify_detached (signature.data(), bytesOf (message), message.size(), publicKey.data()) == 0;
    }

    std::string sha256 (const std::string& text) const override
    {
        unsigned char digest[crypto_hash_sha256_BYTES];
        crypto_hash_sha256 (digest, bytesOf (text), text.size());
        return toHex (digest, sizeof (digest));
    }

    const bool ready = sodium_init() >= 0;
};

#else

struct LibraryVerifier final : SignatureVerifier
{
    bool verify (const std::string& message, const Bytes& signature, const Bytes& publicKey) const override
    {
        const std::unique_ptr<EVP_PKEY, decltype (&EVP_PKEY_free)> key (
            EVP_PKEY_new_raw_public_key (EVP_PKEY_ED25519, nullptr, publicKey.data(), publicKey.size()), &EVP_PKEY_free);
        const std::unique_ptr<EVP_MD_CTX, decltype (&EVP_MD_CTX_free)> context (EVP_MD_CTX_new(), &EVP_MD_CTX_free);

        return key != nullptr && context != nullptr
            && EVP_DigestVerifyInit (context.get(), nullptr, nullptr, nullptr, key.get()) == 1
            && EVP_DigestVerify (context.get(), signature.data(), signature.size(), bytesOf (message), message.size()) == 1;
    }

    std::string sha256 (const std::string& text) const override
    {
        unsigned char digest[EVP_MAX_MD_SIZE];
        unsigned int size = 0;
        const auto ok = EVP_Digest (text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) == 1;
        return ok ? toHex (digest, size) : std::string();
    }
};

#endif

} // namespace

std::unique_ptr<SignatureVerifier> createSignatureVerifier()
{
    return std::make_unique<LibraryVerifier>();
}

} // namespace tonerow
#endif
