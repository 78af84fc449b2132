// Judges tokens and answers that come line by line on its standard input, fields separated by tabs:
//   key <kid> <x>
//   token <now> <skew> <product id> <machine id> <token>
//   answer <now> <method> <path> <nonce> <signature> <date> <nonce in the answer> 0x<body in hexadecimal>
#include "TonerowToken.h"

#include <iostream>
#include <sstream>

static std::string fromHex (const std::string& hex)
{
    std::string bytes;

    for (std::size_t at = 2; at < hex.size(); at += 2)
        bytes += static_cast<char> (std::stoi (hex.substr (at, 2), nullptr, 16));

    return bytes;
}

int main()
{
    const auto verifier = tonerow::createSignatureVerifier();
    std::vector<tonerow::PublicKey> keys;

    for (std::string line; std::getline (std::cin, line);)
    {
        std::vector<std::string> fields;
        std::istringstream parts (line);

        for (std::string field; std::getline (parts, field, '\t');)
            fields.push_back (field);

        if (fields[0] == "key")
        {
            keys.push_back ({ fields[1], fields[2] });
            continue;
        }

        if (fields[0] == "answer")
        {
            const tonerow::Question asked { fields[2], fields[3], fields[4], std::stoll (fields[1]) };
            const tonerow::Answer answer { fromHex (fields[8]), fields[5], fields[6], fields[7] };
            const auto verdict = tonerow::verifyAnswer (answer, keys, asked, *verifier);
            std::cout << (verdict.isValid() ? "valid " + verdict.keyId + ' ' + std::to_string (verdict.signedAt)
                                            : std::string (tonerow::nameOf (verdict.problem)))
                      << '\n';
            continue;
        }

        tonerow::Expectation expected { fields[3], fields[4], std::stoll (fields[1]), std::stoll (fields[2]) };
        const auto token = fields.size() > 5 ? fields[5] : std::string();
        const auto verdict = tonerow::verifyLicense (token, keys, expected, *verifier);

        if (! verdict.isValid())
        {
            std::cout << tonerow::nameOf (verdict.problem) << '\n';
            continue;
        }

        std::cout << "valid " << verdict.serialId << ' ' << verdict.productId << ' ' << verdict.expiresAt << ' '
                  << (verdict.licenseEndsAt ? std::to_string (*verdict.licenseEndsAt) : "never") << ' '
                  << (verdict.trial ? "trial" : "full") << '\n';
    }
}
