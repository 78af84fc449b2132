// SPDX-License-Identifier: ISC
// Ed25519, by the library of your choice. None is included; define which one checks signatures:
//   TONEROW_USE_MONOCYPHER=1  Monocypher 4 (two and two C files, BSD-2 or CC0)
//   TONEROW_USE_SODIUM=1      libsodium
//   TONEROW_USE_OPENSSL=1     OpenSSL 1.1.1 or newer
//   none of them              a Verifier of your own
#pragma once

#include "base.h"

#include <memory>
#include <string_view>

TONEROW_BEGIN

class Verifier
{
public:
    virtual ~Verifier() = default;

    /** Whether this Ed25519 signature (64 bytes) of the message was made by the owner of this key (32 bytes). */
    virtual bool verify (std::string_view message, const Bytes& signature, const Bytes& publicKey) const = 0;
};

/** What every back end asks first: the lengths, that S is below the order of the group, so that a signature has one
    spelling, and that neither the key nor R is a point of small order, for which anything is a signature. */
bool isSoundSignature (const Bytes& signature, const Bytes& publicKey) noexcept;

/** The back end that was chosen when this was compiled; null when the library does not start. */
std::shared_ptr<const Verifier> createVerifier();

TONEROW_END
