// SPDX-License-Identifier: ISC
// Tokens, answers and signatures, by the vectors that all verifiers share; and what those do not have.
#include "check.h"
#include "support.h"

#include <tonerow/json.h>
#include <tonerow/sha256.h>
#include <tonerow/text.h>

#ifndef TONEROW_VECTORS
    #error "TONEROW_VECTORS is the folder with the vectors."
#endif

using namespace support;

namespace
{

JsonObject vectors (const char* name)
{
    const auto text = readText (std::string (TONEROW_VECTORS) + "/" + name + ".json");
    auto object = JsonObject::parse (text);

    if (! object)
        check::fail (__FILE__, __LINE__, std::string (name) + " cannot be read");

    return object.value_or (JsonObject());
}

std::vector<JsonObject> casesOf (const JsonObject& all)
{
    const auto* cases = all.find ("cases");
    auto objects = cases != nullptr ? objectsIn (cases->source) : std::vector<JsonObject>();
    CHECK (objects.size() > 10);
    return objects;
}

std::vector<PublicKey> keysOf (const JsonObject& all)
{
    std::vector<PublicKey> keys;
    const auto jwks = JsonObject::parse (all.find ("jwks")->source);

    for (const auto& each : objectsIn (jwks->find ("keys")->source))
        keys.push_back ({ each.text ("kid"), each.text ("x") });

    CHECK (keys.size() == 2);
    return keys;
}

JsonObject memberOf (const JsonObject& object, const char* name)
{
    const auto* value = object.find (name);
    return value != nullptr ? JsonObject::parse (value->source).value_or (JsonObject()) : JsonObject();
}

std::string textOr (const JsonObject& own, const JsonObject& all, const char* name)
{
    return own.has (name) ? own.text (name) : all.text (name);
}

std::int64_t integerOr (const JsonObject& own, const JsonObject& all, const char* name)
{
    return own.integer (name).value_or (all.integer (name).value_or (-1));
}

std::string fromHex (const std::string& hex)
{
    std::string bytes;

    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
        bytes += static_cast<char> (static_cast<unsigned char> (std::stoi (hex.substr (at, 2), nullptr, 16)));

    return bytes;
}

Bytes toBytes (const std::string& text) { return Bytes (text.begin(), text.end()); }

} // namespace

TEST ("tokens: are judged as all verifiers judge them")
{
    const auto all = vectors ("license-tokens");
    const auto keys = keysOf (all);
    const auto verifier = createVerifier();

    for (const auto& each : casesOf (all))
    {
        const auto expected = memberOf (each, "expected");
        const auto verdict = verifyLicense (each.text ("token"),
                                            keys,
                                            { all.text ("product_id"),
                                              { textOr (each, all, "machine_id") },
                                              integerOr (each, all, "now"),
                                              integerOr (each, all, "clock_skew_seconds") },
                                            *verifier);
        const auto name = each.text ("name") + ": ";
        EQUAL (name + nameOf (verdict.problem), name + (expected.isTrue ("valid") ? "none" : expected.text ("reason")));

        if (! verdict.isValid())
            continue;

        EQUAL (name + verdict.serialId, name + expected.text ("serial_id"));
        EQUAL (name + verdict.productId, name + expected.text ("product_id"));
        EQUAL (verdict.expiresAt, expected.integer ("expires_at").value_or (-1));
        EQUAL (verdict.licenseEndsAt.value_or (-1), expected.integer ("license_ends_at").value_or (-1));
        EQUAL (verdict.isTrial, expected.isTrue ("trial"));
        EQUAL (verdict.isForGood, expected.isTrue ("for_good"));
        const auto loss = verdict.onLoss;
        EQUAL (name
                   + (loss == OnLoss::mute     ? "mute"
                      : loss == OnLoss::bypass ? "bypass"
                                               : "finish"),
               name + expected.text ("on_loss"));
    }
}

TEST ("answers: are judged as all verifiers judge them")
{
    const auto all = vectors ("license-answers");
    const auto keys = keysOf (all);
    const auto verifier = createVerifier();

    for (const auto& each : casesOf (all))
    {
        const auto expected = memberOf (each, "expected"), headers = memberOf (each, "headers");
        const auto body = each.has ("body_hex") ? fromHex (each.text ("body_hex")) : each.text ("body");
        const auto verdict = verifyAnswer ({ body,
                                             headers.text ("x-tonerow-signature"),
                                             headers.text ("x-tonerow-date"),
                                             headers.text ("x-tonerow-nonce") },
                                           keys,
                                           { textOr (each, all, "method"),
                                             textOr (each, all, "path"),
                                             textOr (each, all, "nonce"),
                                             integerOr (each, all, "now") },
                                           *verifier);
        const auto name = each.text ("name") + ": ";
        EQUAL (name + nameOf (verdict.problem), name + (expected.isTrue ("valid") ? "none" : expected.text ("reason")));

        if (verdict.isValid())
        {
            EQUAL (name + verdict.keyId, name + expected.text ("key_id"));
            EQUAL (verdict.signedAt, expected.integer ("signed_at").value_or (-1));
        }
    }
}

TEST ("signatures: have one spelling, and are nobody's for points of small order")
{
    const auto verifier = createVerifier();

    for (const auto& each : casesOf (vectors ("ed25519")))
    {
        const auto isValid = verifier->verify (fromHex (each.text ("message_hex")),
                                               toBytes (fromHex (each.text ("signature_hex"))),
                                               toBytes (fromHex (each.text ("key_hex"))));
        const auto name = each.text ("name") + ": ";
        EQUAL (name + (isValid ? "valid" : "refused"), name + (each.isTrue ("valid") ? "valid" : "refused"));
    }
}

TEST ("tokens: another kind of thing with a good signature is no license")
{
    const Signer signer ("key-current");
    const auto verifier = createVerifier();
    Claims claims;
    claims.machineId = "machine";
    claims.issuedAt = 1000;
    claims.expiresAt = 5000;
    const Expectation expected { "product-1", { "other", "machine" }, 2000 };
    const auto good = makeToken (signer, claims);
    const auto verdict = verifyLicense (good, { signer.publicKey() }, expected, *verifier);
    EQUAL (nameOf (verdict.problem), std::string ("none"));
    EQUAL (verdict.machineId, "machine");

    const auto body = good.substr (good.find ('.') + 1, good.rfind ('.') - good.find ('.') - 1);
    const auto withType = [&] (const char* type)
    {
        const auto head = JsonWriter().text ("alg", "EdDSA").text ("typ", type).text ("kid", signer.kid).finish();
        const auto text = toBase64Url (head) + "." + body;
        return verifyLicense (
                   text + "." + toBase64Url (signer.sign (text)), { signer.publicKey() }, expected, *verifier)
            .problem;
    };
    EQUAL (nameOf (withType ("JWT")), std::string ("none"));
    EQUAL (nameOf (withType ("update+jwt")), std::string ("malformed"));

    // nothing is for everybody
    EQUAL (nameOf (verifyLicense (good, { signer.publicKey() }, { "product-1", {}, 2000 }, *verifier).problem),
           std::string ("wrong_machine"));
    EQUAL (nameOf (verifyLicense (good, {}, expected, *verifier).problem), std::string ("unknown_key"));
    EQUAL (nameOf (verifyLicense (std::string (mostTokenBytes + 1, 'a'), {}, expected, *verifier).problem),
           std::string ("malformed"));
}

TEST ("tokens: an expired one still says when it ended, and what then happens")
{
    const Signer signer ("key-current");
    Claims claims;
    claims.machineId = "machine";
    claims.issuedAt = 1000;
    claims.expiresAt = 5000;
    claims.licenseEndsAt = 4000;
    claims.loss = "mute";
    const auto verdict = verifyLicense (
        makeToken (signer, claims), { signer.publicKey() }, { "product-1", { "machine" }, 9000 }, *createVerifier());
    EQUAL (nameOf (verdict.problem), std::string ("expired"));
    EQUAL (verdict.endsAt(), 4000);
    CHECK (verdict.onLoss == OnLoss::mute);
}

TEST ("answers: what a client lost is put back, and a lie is found")
{
    Answer answer { "{}", "", "", "" };
    completeAnswer (answer, "date=123; ed25519=abc; kid=k", "nonce");
    EQUAL (answer.date, "123");
    EQUAL (answer.signature, "ed25519=abc; kid=k");
    EQUAL (answer.nonce, "nonce");
    Answer whole { "{}", "s", "1", "n" };
    completeAnswer (whole, "date=123; ed25519=abc; kid=k", "nonce");
    EQUAL (whole.signature + whole.date + whole.nonce, "s1n");
    Answer none { "{}", "", "", "" };
    completeAnswer (none, "nonsense", "");
    EQUAL (none.signature + none.date + none.nonce, "");
}

TEST ("license files: the token is found in all line ends, and in a key file")
{
    for (const auto* end : { "\n", "\r\n" })
    {
        const std::string line = end;
        EQUAL (tokenIn ("Keyfile for X" + line + "-----BEGIN TONEROW LICENSE-----" + line + "Product: A" + line + line
                        + "abc." + line + "  def " + line + "-----END TONEROW LICENSE-----" + line + "#1234"),
               "abc.def");
    }

    // the server's own download of an unlock for good, and what an editor makes of it
    EQUAL (tokenIn ("{\"product_id\":\"1\",\"token\":\"abc.def\",\"published_at\":null}"), "abc.def");
    EQUAL (tokenIn ("\xef\xbb\xbf {\r\n  \"token\": \"abc.def\"\r\n}\r\n"), "abc.def");
    EQUAL (tokenIn ("{\"token\":7}"), "");
    EQUAL (tokenIn ("{\"token\":\"abc.def\""), "");
    EQUAL (tokenIn (""), "");
    EQUAL (tokenIn ("-----BEGIN TONEROW LICENSE-----\nabc"), "");
    EQUAL (tokenIn ("-----END TONEROW LICENSE-----\n-----BEGIN TONEROW LICENSE-----\nabc"), "");
    EQUAL (tokenIn (std::string (300 * 1024, 'x')), "");
}

TEST ("tokens: an unlock for good is for every computer at every time, and for its own product")
{
    const Signer signer ("key-current");
    const auto verifier = createVerifier();
    const auto judged = [&] (const std::string& token, Seconds now) {
        return verifyLicense (token, { signer.publicKey() }, { "product-1", {}, now }, *verifier);
    };
    const auto unlock = makeUnlock (signer, "product-1", 5000, "unlock+jwt");

    for (const auto now : { Seconds { 0 }, Seconds { 4000 }, Seconds { 5000 }, Seconds { 200000000000 } })
    {
        const auto verdict = judged (unlock, now);
        EQUAL (nameOf (verdict.problem), std::string ("none"));
        CHECK (verdict.isForGood);
        EQUAL (verdict.endsAt(), endless);
    }

    EQUAL (nameOf (judged (makeUnlock (signer, "product-2", 5000, "unlock+jwt"), 6000).problem),
           std::string ("wrong_product"));
    EQUAL (nameOf (judged (makeUnlock (Signer ("key-other"), "product-1", 5000, "unlock+jwt"), 6000).problem),
           std::string ("unknown_key"));
    EQUAL (nameOf (judged (makeUnlock (signer, "product-1", 5000, "tonerow-update+jwt"), 6000).problem),
           std::string ("malformed"));
    // neither is a license an unlock for good, nor the other way round
    EQUAL (nameOf (judged (makeUnlock (signer, "product-1", 5000, "JWT"), 6000).problem), std::string ("malformed"));
    Claims claims;
    claims.issuedAt = 1000;
    claims.expiresAt = 9000;
    auto token = makeToken (signer, claims);
    const auto head = JsonWriter().text ("alg", "EdDSA").text ("typ", "unlock+jwt").text ("kid", signer.kid).finish();
    const auto body = token.substr (token.find ('.') + 1, token.rfind ('.') - token.find ('.') - 1);
    const auto text = toBase64Url (head) + "." + body;
    EQUAL (nameOf (judged (text + "." + toBase64Url (signer.sign (text)), 6000).problem), std::string ("malformed"));
    // and whoever changes it has no signature for it
    auto forged = unlock;
    forged[forged.find ('.') + 5] = forged[forged.find ('.') + 5] == 'A' ? 'B' : 'A';
    EQUAL (nameOf (judged (forged, 6000).problem), std::string ("signature"));
}
