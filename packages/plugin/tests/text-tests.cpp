// SPDX-License-Identifier: ISC
#include "check.h"

#include <tonerow/json.h>
#include <tonerow/sha256.h>
#include <tonerow/text.h>

using namespace tonerow;

namespace
{

std::string decoded (const char* text)
{
    const auto bytes = fromBase64Url (text);
    return bytes ? std::string (bytes->begin(), bytes->end()) : "nothing";
}

bool isObject (const std::string& text) { return JsonObject::parse (text).has_value(); }

} // namespace

TEST ("base64url: has one spelling for the same bytes")
{
    EQUAL (decoded (""), "");
    EQUAL (decoded ("Zg"), "f");
    EQUAL (decoded ("Zm9vYmE"), "fooba");
    EQUAL (decoded ("_-8"), "\xff\xef");

    // padding, white space, spare bits, the other alphabet, a length that does not exist
    for (const auto* wrong : { "Zg==", "Zm 9v", "Zh", "Zm9vYmF", "/+8", "Z", "Zm9v\n", "Zm9vé" })
        EQUAL (decoded (wrong), "nothing");
}

TEST ("UTF-8: is in shortest form, without surrogates")
{
    for (const auto* good : { "", "abc", "é", "音", "\xf0\x9f\x8e\xb9", "\xf4\x8f\xbf\xbf" })
        CHECK (isUtf8 (good));

    for (const auto* wrong : { "\x80",
                               "\xc3",
                               "\xc0\xaf",
                               "\xe0\x80\xaf",
                               "\xed\xa0\x80",
                               "\xf4\x90\x80\x80",
                               "\xf8\x88\x80\x80\x80",
                               "a\xff",
                               "\xe9\x9f" })
        CHECK (! isUtf8 (wrong));
}

TEST ("file names: are one name on every system")
{
    EQUAL (toFileName ("Ada Audio"), "Ada Audio");
    EQUAL (toFileName ("Röhre 音"), "Röhre 音");
    EQUAL (toFileName ("../../etc/passwd"), "_._.._etc_passwd");
    EQUAL (toFileName ("a\\b:c*d?e\"f<g>h|i\nj"), "a_b_c_d_e_f_g_h_i_j");
    EQUAL (toFileName (" name. . "), "name");
    EQUAL (toFileName (""), "_");
    EQUAL (toFileName ("..."), "_");
    EQUAL (toFileName ("con"), "con_");
    EQUAL (toFileName ("LPT1.txt"), "LPT1.txt_");
    const auto longest = toFileName ("x" + std::string (98, 'x') + "音");
    EQUAL (longest, std::string (99, 'x'));
}

TEST ("SHA-256 and HMAC: are those of the standards")
{
    EQUAL (sha256Hex (""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EQUAL (sha256Hex ("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EQUAL (sha256Hex ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EQUAL (sha256Hex (std::string (1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");

    // in pieces of all lengths around a block
    for (std::size_t size = 50; size < 140; ++size)
    {
        Sha256 hash;
        const std::string text (size, 'x');
        hash.add (text.substr (0, size / 3));
        hash.add (text.substr (size / 3));
        CHECK (hash.finish() == sha256 (text));
    }

    // RFC 4231, cases 1, 2 and 6
    EQUAL (hmacSha256Hex (std::string (20, '\x0b'), "Hi There"),
           "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EQUAL (hmacSha256Hex ("Jefe", "what do ya want for nothing?"),
           "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EQUAL (hmacSha256Hex (std::string (131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
           "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST ("JSON: is read as everybody reads it")
{
    const auto object = JsonObject::parse (
        " { \"text\" : \"a\\u00e9\\ud83c\\udfb9\\n\", \"number\":-12 , \"yes\":true,\"none\":null,\"part\":1.5,"
        "\"list\":[1,{\"a\":[]}], \"twice\":1, \"twice\":2, \"half\":\"\\ud800x\" } ");
    CHECK (object.has_value());

    if (! object)
        return;

    EQUAL (object->text ("text"), "aé\xf0\x9f\x8e\xb9\n");
    EQUAL (object->integer ("number").value_or (0), -12);
    CHECK (object->isTrue ("yes"));
    CHECK (object->find ("none")->kind == JsonValue::Kind::null);
    CHECK (! object->integer ("part"));
    EQUAL (object->find ("list")->source, "[1,{\"a\":[]}]");
    EQUAL (object->integer ("twice").value_or (0), 2);
    EQUAL (object->text ("half"), "\xef\xbf\xbdx");
    EQUAL (objectsIn ("[{\"a\":1},2,{\"a\":3}]").size(), 2u);
}

TEST ("JSON: refuses what is not one object")
{
    for (const auto* wrong : { "",
                               "[]",
                               "1",
                               "null",
                               "{",
                               "{}x",
                               "{\"a\"}",
                               "{\"a\":}",
                               "{\"a\":1,}",
                               "{,}",
                               "{\"a\":01}",
                               "{\"a\":.5}",
                               "{\"a\":1.}",
                               "{\"a\":1e}",
                               "{\"a\":+1}",
                               "{\"a\":tru}",
                               "{\"a\":'b'}",
                               "{\"a\":\"\n\"}",
                               "{\"a\":\"\\x\"}",
                               "{\"a\":\"\\u12g4\"}",
                               "{\"a\":\"",
                               "{\"a\":[1,]}",
                               "{\"a\":NaN}",
                               "{\"a\":\"\xff\"}",
                               "\xef\xbb\xbf{}",
                               "{\"a\":\"\\ud800\\u\"}" })
        CHECK (! isObject (wrong));
}

TEST ("JSON: has limits")
{
    CHECK (isObject ("{\"a\":" + std::string (14, '[') + std::string (14, ']') + "}"));
    CHECK (! isObject ("{\"a\":" + std::string (100000, '[')));
    CHECK (! isObject ("{\"a\":" + std::string (17, '[') + std::string (17, ']') + "}"));
    CHECK (! isObject ("{\"a\":\"" + std::string (JsonObject::mostBytes, 'x') + "\"}"));
    std::string members = "{\"a\":1";

    for (auto i = 0; i < 300; ++i)
        members += ",\"b\":2";

    CHECK (! isObject (members + "}"));
    CHECK (! JsonObject::parse ("{\"a\":1234567890123456}")->integer ("a"));
}

TEST ("JSON: what is written is read back")
{
    const std::string odd = "a\"b\\c\n\x01 é音\xf0\x9f\x8e\xb9\"";
    const auto object = JsonObject::parse (
        JsonWriter().text ("odd", odd).integer ("number", -5).list ("list", { "a", "b\"" }).finish());
    EQUAL (object->text ("odd"), odd);
    EQUAL (object->integer ("number").value_or (0), -5);
    EQUAL (object->find ("list")->source, "[\"a\",\"b\\\"\"]");
    EQUAL (JsonWriter().finish(), "{}");
    // what is no UTF-8 does not end the text, or swallow its end
    EQUAL (toJson ("\xc3\"x\xe9\x9f"), "\"\xef\xbf\xbd\\\"x\xef\xbf\xbd\xef\xbf\xbd\"");
}
