// SPDX-License-Identifier: ISC
#include "verifier.h"

#include <cstring>

#if TONEROW_USE_MONOCYPHER
    // it may be there already, from a folder that no option of the compiler names
    #ifndef TONEROW_MONOCYPHER_IS_HERE
        #include <monocypher-ed25519.h>
    #endif
#elif TONEROW_USE_SODIUM
    #include <sodium.h>
#elif TONEROW_USE_OPENSSL
    #include <openssl/evp.h>
#endif

TONEROW_BEGIN

namespace
{

/** The order of the group, 2^252 + 27742317777372353535851937790883648493, least significant byte first. */
constexpr std::uint8_t groupOrder[32] = { 0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                          0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                          0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10 };

/** The y of all points whose order divides 8, without their signs; the last three are spellings of 0, 1 and -1 above p
 * - 1. */
constexpr std::uint8_t smallOrder[7][32] = {
    { 0 },
    { 1 },
    { 0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05 },
    { 0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a },
    { 0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
    { 0xed, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
    { 0xee, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f }
};

bool isBelowOrder (const std::uint8_t* scalar) noexcept
{
    for (auto i = 31; i >= 0; --i)
        if (scalar[i] != groupOrder[i])
            return scalar[i] < groupOrder[i];

    return false;
}

bool hasSmallOrder (const std::uint8_t* point) noexcept
{
    for (const auto& each : smallOrder)
        if (std::memcmp (point, each, 31) == 0 && (point[31] & 0x7f) == each[31])
            return true;

    return false;
}

#if TONEROW_USE_MONOCYPHER || TONEROW_USE_SODIUM || TONEROW_USE_OPENSSL

const unsigned char* bytesOf (std::string_view text) noexcept
{
    return reinterpret_cast<const unsigned char*> (text.data());
}

    #if TONEROW_USE_MONOCYPHER

bool checkSignature (std::string_view message, const Bytes& signature, const Bytes& publicKey) noexcept
{
    return crypto_ed25519_check (signature.data(), publicKey.data(), bytesOf (message), message.size()) == 0;
}

bool startLibrary() noexcept { return true; }

    #elif TONEROW_USE_SODIUM

bool checkSignature (std::string_view message, const Bytes& signature, const Bytes& publicKey) noexcept
{
    return crypto_sign_verify_detached (signature.data(), bytesOf (message), message.size(), publicKey.data()) == 0;
}

bool startLibrary() noexcept { return sodium_init() >= 0; }

    #else

bool checkSignature (std::string_view message, const Bytes& signature, const Bytes& publicKey) noexcept
{
    const std::unique_ptr<EVP_PKEY, decltype (&EVP_PKEY_free)> key (
        EVP_PKEY_new_raw_public_key (EVP_PKEY_ED25519, nullptr, publicKey.data(), publicKey.size()), &EVP_PKEY_free);
    const std::unique_ptr<EVP_MD_CTX, decltype (&EVP_MD_CTX_free)> context (EVP_MD_CTX_new(), &EVP_MD_CTX_free);

    return key != nullptr && context != nullptr
           && EVP_DigestVerifyInit (context.get(), nullptr, nullptr, nullptr, key.get()) == 1
           && EVP_DigestVerify (context.get(), signature.data(), signature.size(), bytesOf (message), message.size())
                  == 1;
}

bool startLibrary() noexcept { return true; }

    #endif

class LibraryVerifier final : public Verifier
{
public:
    bool verify (std::string_view message, const Bytes& signature, const Bytes& publicKey) const override
    {
        return isSoundSignature (signature, publicKey) && checkSignature (message, signature, publicKey);
    }
};

#endif

} // namespace

bool isSoundSignature (const Bytes& signature, const Bytes& publicKey) noexcept
{
    return signature.size() == 64 && publicKey.size() == 32 && isBelowOrder (signature.data() + 32)
           && ! hasSmallOrder (signature.data()) && ! hasSmallOrder (publicKey.data());
}

#if TONEROW_USE_MONOCYPHER || TONEROW_USE_SODIUM || TONEROW_USE_OPENSSL

std::shared_ptr<const Verifier> createVerifier()
{
    return startLibrary() ? std::make_shared<LibraryVerifier>() : nullptr;
}

#endif

TONEROW_END
